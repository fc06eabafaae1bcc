"""The program ``xiangqi`` of the folder that needs no Python; also runs its worker processes."""

from multiprocessing import freeze_support

from xiangqi.__main__ import main

if __name__ == "__main__":
    freeze_support()
    main()
