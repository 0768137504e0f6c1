"""The command `valet-xl completion`: what lets a shell complete the commands, options and words that are typed."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from valet_xl.cli.help import Words, argument
from valet_xl.cli.terminal import command
from valet_xl.errors import one_of

SHELLS = ("bash", "zsh", "fish", "powershell")


@command("completion")
@argument("shell", "bash (4.4 or later), zsh, fish or powershell.", type=Words(dict.fromkeys(SHELLS, "")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what lets a shell complete what is typed.

    After it, the Tab key completes commands, options, their words and the names of files. Run the line of your shell
    once, and open a new terminal.

    \b
    bash:
      mkdir -p ~/.local/share/bash-completion/completions
      valet-xl completion bash > ~/.local/share/bash-completion/completions/valet-xl
    zsh:
      echo 'eval "$(valet-xl completion zsh)"' >> ~/.zshrc
    fish:
      valet-xl completion fish > ~/.config/fish/completions/valet-xl.fish
    PowerShell:
      Add-Content $PROFILE 'valet-xl completion powershell | Out-String | Invoke-Expression'
    """
    one_of("shell", shell, SHELLS)
    of_shell = get_completion_class(shell)
    program = ctx.find_root()
    assert of_shell is not None, shell
    name = str(program.info_name)
    click.echo(of_shell(program.command, {}, name, f"_{name}_COMPLETE".replace("-", "_").upper()).source())
