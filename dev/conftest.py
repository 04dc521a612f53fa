"""What tests here import of the scripts: their package, and the files that their tests make up."""

import pathlib
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "scripts"
sys.path += [str(SCRIPTS), str(SCRIPTS / "test")]
