"""The program's tables as the page shows them: nothing is computed."""

from dataclasses import dataclass

from bench_hpc import program


def told(documents, options):
    """`bench table`: the runs, their tables, each with its answer, and how to read them."""
    baseline = ["--baseline", options.baseline] if options.baseline else []
    files = [document.path for document in documents]
    answer = program.tables(files, "--lang", options.lang, *baseline)
    if answer.get("schema") != "bench-tables/1":
        raise program.UsageError(
            f"{program.binary()} table gave no 'bench-tables/1': is it another version?"
        )
    of_table = {one["table"]: one for one in answer["answer"]}
    for number, facts in enumerate(answer["tables"]):
        facts["answer"] = of_table.get(number)
    return answer


@dataclass(frozen=True)
class Cell:
    text: str
    value: object = ""  # for sorting; empty where there is none


@dataclass(frozen=True)
class Said:
    """A sentence of the result file's."""

    text: str
    english: bool  # as it was recorded


def said(row, key):
    return Said(row[f"{key}_text"] or "", row[f"{key}_text"] == row[key])


@dataclass(frozen=True)
class Row:
    variant: str  # backend/variant, for the filter
    label: str
    idea: object  # Said
    cells: list
    status: str = ""  # in the page's language
    before_reason: str = ""  # the same with its colon: the reason may be in another language
    reason: object = None  # Said


def _sort_value(value):
    """An interval is sorted by its lower end."""
    if isinstance(value, list):
        value = value[0] if value else None
    return "" if value is None else value


def _row(row, columns):
    label, *texts = row["cells"]
    variant = f"{row['backend']}/{row['variant']}"
    if row["status"] != "measured":
        texts = (row["status_text"], row["before_reason"])
        return Row(variant, label, said(row, "idea"), [], *texts, said(row, "reason"))
    cells = [
        Cell(text, _sort_value(row["values"].get(column["key"])))
        for column, text in zip(columns[1:], texts)
    ]
    return Row(variant, label, said(row, "idea"), cells)


def _folded(some, rows):
    """One row for those of a backend that have a reason in common."""
    names = " ".join(f"{row['backend']}/{row['variant']}" for row in rows)
    told = Said(some["text"], english=False)
    return Row(names, some["backend"], Said("", english=False), [], "", "", told)


def _table(facts):
    rows = [_row(row, facts["columns"]) for row in facts["rows"]]
    for some in facts["folded"]:
        first, *others = some["rows"]
        rows[first] = _folded(some, [facts["rows"][i] for i in some["rows"]])
        for i in others:
            rows[i] = None
    return {**facts, "rows": [row for row in rows if row], "image": None}


def runs(told, documents, first):
    """The runs of `bench table`, each with its result files and tables, and the names that links
    need; `first` is the number of the first run."""
    by_path = {str(document.path): document for document in documents}
    found = []
    for number, run in enumerate(told["runs"]):
        its = [by_path[file] for file in run["files"]]
        recorded = {one for document in its for one in document.context["run"].get("warnings", [])}
        warnings = [Said(text, text in recorded) for text in run["warnings"]]
        tables = [_table(facts) for facts in told["tables"] if facts["run"] == number]
        identity = f"{first + number}"
        for table_number, table in enumerate(tables):
            table["identity"] = f"table-{identity}-{table_number}"
        own = {"identity": f"run-{identity}", "documents": its, "tables": tables}
        found.append({**run, **own, "warnings": warnings})
    return found
