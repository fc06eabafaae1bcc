# Each target runs the task of that name of dev.py, which also runs without make.

PYTHON ?= python3
TASKS := verify serve test test-fast bench debug soak build wheels bundle site npm docs clean

.PHONY: $(TASKS)
$(TASKS):
	@command -v $(PYTHON) >/dev/null || { echo "To build Meihua this machine still needs Python 3.10 or\
	 newer and a C compiler: '$(PYTHON)' was not found (Debian, Ubuntu: python3 python3-venv\
	 python3-dev gcc libc6-dev)" >&2; exit 1; }
	@$(PYTHON) dev.py $@
