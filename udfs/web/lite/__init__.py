"""What xlwings Lite runs: it needs the package `xlwings` as Lite has it, and valet_xl next to it."""
