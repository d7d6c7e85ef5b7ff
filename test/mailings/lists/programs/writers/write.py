"""Writes lists with Python: the module csv, pandas and openpyxl."""

import csv
import datetime
import json
import sys

import openpyxl
import pandas


def write_csv(job):
    with open(job["path"], "w", newline="", encoding=job["name"]) as file:
        quoting = csv.QUOTE_ALL if job["quoteAll"] else csv.QUOTE_MINIMAL
        writer = csv.writer(file, delimiter=job["separator"], quoting=quoting)
        writer.writerow(job["columns"])
        writer.writerows(job["rows"])


def write_pandas(job):
    frame = pandas.DataFrame(job["rows"], columns=job["columns"])
    frame.to_csv(job["path"], index=False, encoding=job["name"], sep=job["separator"])


def write_workbook(job):
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.append(job["columns"])
    for row in job["rows"]:
        sheet.append(row[:4] + [datetime.date.fromisoformat(row[4]), row[5]])
    workbook.save(job["path"])


writers = {"python-csv": write_csv, "pandas": write_pandas, "openpyxl": write_workbook}

with open(sys.argv[1], encoding="utf-8") as jobs:
    for job in json.load(jobs):
        writers[job["program"]](job)

print(json.dumps({
    "python-csv": sys.version.split()[0],
    "pandas": pandas.__version__,
    "openpyxl": openpyxl.__version__,
}))
