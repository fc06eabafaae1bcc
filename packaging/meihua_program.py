"""The program ``meihua`` of the folder that needs no Python."""

from xiangqi.engine.meihua import command

if __name__ == "__main__":
    command()
