"""All modules of the package and its data, but for the types of the compiled modules."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

datas = collect_data_files("xiangqi", excludes=["**/*.pyi", "**/py.typed"])
hiddenimports = collect_submodules("xiangqi", filter=lambda name: "__pyinstaller" not in name)
hiddenimports += ["uvicorn.lifespan.off", "uvicorn.loops.asyncio"]  # it imports them by their names
