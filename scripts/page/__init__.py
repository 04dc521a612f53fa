"""The pages of scripts/report.py and scripts/lesson.py: command lines, facts, HTML."""
