"""The page of scripts/report.py: command line, facts of the documents, HTML."""
