#!/usr/bin/env bash
# A class of five: one table with ranks, then points. The row of the wrong submission says why.
# bash class.sh
bench try class/* --graded --size 1e6 --output class.json # exit code 1: a submission is wrong

bench table class.json --filter reverse/guest --format csv --columns guest,status,reason,rank,naive >class.csv
bench table class.json --format json --columns naive,rank | bench points
