"""What a teacher does: from two result files to a handout in Portuguese, tables and pictures."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from bench_hpc.words import LANGUAGES

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores"
HAND_OUT = r"""\documentclass[a4paper]{article}
\usepackage{booktabs,graphicx}
\begin{document}
\section{Quanto mais r\'apido?}
\input{escada}
\input{aula}
\begin{figure}\includegraphics[width=\linewidth]{escada-figura}\caption{Escada}\end{figure}
\begin{figure}\includegraphics[width=\linewidth]{teto}\caption{Roofline}\end{figure}
\begin{figure}\includegraphics[width=\linewidth]{amostras}\caption{Amostras}\end{figure}
\end{document}
"""


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout


needs_latex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")


def compiled(name, folder):
    """The log of pdfLaTeX in one line."""
    log = run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name], folder)
    log = log.replace("\n", "")
    assert "Overfull" not in log, "something is wider than the page"
    return log


@needs_latex
@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_compile_as_they_are(tmp_path, language):
    table = [BENCH, "table", "--lang", language, "--format", "latex"]
    text = run([*table, RECORDED / "default.json", RECORDED / "peers.json"], tmp_path)
    (tmp_path / "tables.tex").write_text(text)
    assert "pages" in compiled("tables.tex", tmp_path)
    for odd in ("char34", "\\ll$", "\\gg$", "T09:"):
        assert odd not in text
    captions = re.findall(r"\\caption\{(.*)\}\n", text)
    assert all(len(re.findall(r"\d{4}-\d\d-\d\d", one)) == 1 for one in captions)
    assert all(len(re.findall(r"\b[0-9a-f]{7}\b", one)) == 1 for one in captions)


@needs_latex
def test_two_documents_become_a_hand_out(tmp_path):
    ours, peers = RECORDED / "default.json", RECORDED / "peers.json"
    table = [BENCH, "table", "--lang", "pt", "--format", "latex", "--status", "measured"]
    energy = ["--filter", "energy", "--size", "10000000"]
    first = run([*table, ours, peers, *energy], tmp_path)
    second = run([*table, ours, "--preset", "course", "--filter", "transpose"], tmp_path)
    assert "numba/njit" in first
    assert "Versão & Tempo (s) & Speedup" in second
    (tmp_path / "escada.tex").write_text(first)
    (tmp_path / "aula.tex").write_text(second)
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (scripts/setup.sh all)")
    plot = [sys.executable, ROOT / "scripts" / "plot.py"]
    options = ["--lang", "pt", "-o"]
    choice = ["--workload", "energy", "--size", "10000000"]
    run([*plot, "ladder", ours, peers, *choice, *options, "escada-figura.pdf"], tmp_path)
    run([*plot, "roofline", ours, *options, "teto.pdf"], tmp_path)
    run([*plot, "samples", ours, *choice, *options, "amostras.pdf"], tmp_path)
    (tmp_path / "folha.tex").write_text(HAND_OUT)
    log = compiled("folha.tex", tmp_path)
    for picture in ("escada-figura", "teto", "amostras"):
        assert f"{picture}.pdf>" in log
    assert "(3 pages" in log or "(2 pages" in log
