"""The program's tables as the page shows them: nothing is computed."""

from bench_hpc import program
from bench_hpc.page.facts import NOTHING


def told(documents, options):
    """`bench table`: the runs, their tables, each with its answer, and how to read them."""
    baseline = ["--baseline", options.baseline] if options.baseline else []
    files = [document.path for document in documents]
    if all(document.foreign for document in documents):  # ratios and rates would be empty
        baseline += ["--columns", "variant,time,interval,bandwidth"]
    answer = program.tables(files, "--lang", options.lang, *baseline)
    if answer.get("schema") != "bench-tables/1":
        raise program.UsageError(
            f"{program.binary()} table gave no 'bench-tables/1': is it another version?"
        )
    of_table = {one["table"]: one for one in answer["answer"]}
    for number, facts in enumerate(answer["tables"]):
        facts["answer"] = of_table.get(number)
    return answer


def _sort_value(value):
    """An interval is sorted by its lower end."""
    if isinstance(value, list):
        return value[0] if value else None
    return value


def _row(row, columns):
    """A row, the name that the filter sees, and (text, what it is sorted by) of each cell."""
    label, *texts = row["cells"]
    values = (_sort_value(row["values"].get(column["key"])) for column in columns[1:])
    name = f"{row['backend']}/{row['variant']}"
    return {**row, "name": name, "label": label, "cells": list(zip(texts, values))}


def _folded(some, rows):
    """One row for those of a backend that have a reason in common."""
    said = {"idea": None, "idea_text": "", "reason": None, "reason_text": some["text"]}
    name = " ".join(row["name"] for row in rows)
    told = {"name": name, "label": some["backend"], "status": "folded", "before_reason": ""}
    return {**told, **said}


def _without_empty(facts):
    """Leaves out the columns in which no row of another program's file has a value."""
    if facts["dtype"]:
        return facts
    kept = [
        number
        for number in range(len(facts["columns"]))
        if any(row["cells"][number] not in ("", NOTHING) for row in facts["rows"])
    ]
    rows = [{**row, "cells": [row["cells"][one] for one in kept]} for row in facts["rows"]]
    return {**facts, "columns": [facts["columns"][one] for one in kept], "rows": rows}


def _table(facts):
    facts = _without_empty(facts)
    rows = [_row(row, facts["columns"]) for row in facts["rows"]]
    shown = dict(enumerate(rows))
    for some in facts["folded"]:
        first, *others = some["rows"]
        shown[first] = _folded(some, [rows[i] for i in some["rows"]])
        for i in others:
            del shown[i]
    return {**facts, "rows": list(shown.values()), "image": None}


def runs(told, documents, first):
    """The runs of `bench table`, each with its result files and tables, and the names that links
    need; `first` is the number of the first run."""
    by_path = {str(document.path): document for document in documents}
    found = []
    for number, run in enumerate(told["runs"]):
        its = [by_path[file] for file in run["files"]]
        recorded = {one for document in its for one in document.context["run"].get("warnings", [])}
        # Whether each is English, as it was recorded.
        warnings = [(text, text in recorded) for text in run["warnings"]]
        tables = [_table(facts) for facts in told["tables"] if facts["run"] == number]
        identity = f"{first + number}"
        for table_number, table in enumerate(tables):
            table["identity"] = f"table-{identity}-{table_number}"
        own = {"identity": f"run-{identity}", "documents": its, "tables": tables}
        found.append({**run, **own, "warnings": warnings})
    return found
