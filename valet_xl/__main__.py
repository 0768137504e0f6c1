"""`python -m valet_xl` is the command `valet-xl`."""

from valet_xl.cli.main import main

if __name__ == "__main__":
    main()
