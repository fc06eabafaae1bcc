"""The executable ``xiangqi`` of a folder that needs no Python; its workers are started from it."""

from multiprocessing import freeze_support

from xiangqi.__main__ import main

if __name__ == "__main__":
    freeze_support()
    main()
