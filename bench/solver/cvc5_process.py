"""cvc5 as an SMT-LIB 2 process, from PyPI's package `cvc5`, which brings no program:
`--solver 'python3 bench/solver/cvc5_process.py'`. One command is one line."""

import sys

import cvc5

solver = cvc5.Solver()
solver.setOption("incremental", "true")
symbols = cvc5.SymbolManager(solver)
parser = cvc5.InputParser(solver, symbols)
for line in sys.stdin:
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "stdin")
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        answer = command.invoke(solver, symbols)
        if answer:
            print(answer, end="", flush=True)
