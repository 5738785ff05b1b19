# The kit on one machine. Each target sets up what it needs and what is missing.

SETUP := firmware/image/setup.sh
BIN := .venv/bin
PACKAGES := firmware table_controller seat_node
SCRIPTS := .ci/run .ci/debian13 firmware/image/setup.sh firmware/image/install.sh

.DEFAULT_GOAL := help
.PHONY: help demo vision test test-pi proof lint bench hardware release words clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 14

demo: ## Play a whole game without hardware; more with ARGS="--speed 10 --turbo"
	@$(SETUP) demo
	@$(BIN)/mafia-table demo $(ARGS)

vision: ## Add what the eyes need: then make demo ARGS="--eyes 3=FOLDER"
	@$(SETUP) vision
	@$(BIN)/mafia-seat models

test: ## Run the tests
	@$(SETUP) test
	@$(BIN)/mafia-seat models
	@$(BIN)/pytest -n 2 --dist loadfile -m "not proof" $(ARGS)

test-pi: ## Run the tests as on a card: Debian 13, Python 3.13, the real picamera2; as root
	@.ci/debian13 $(ARGS)

proof: ## Run the long tests; the rules are covered branch by branch
	@$(SETUP) test
	@$(SETUP) hardware
	@$(BIN)/mafia-seat models
	@$(BIN)/pytest -n 2 --dist loadfile -m proof $(ARGS)
	@$(BIN)/pytest -q -n 2 -m "not proof" tests/table_controller/game \
		--cov=table_controller.game --cov-branch --cov-fail-under=100 --cov-report=term-missing:skip-covered
	@.ci/debian13 || { [ $$? -eq 2 ] && echo "make test-pi is left out: see the line above"; }

lint: ## Check form, types, scripts and who imports whom
	@$(SETUP) test
	$(BIN)/ruff format --check $(PACKAGES) hardware tests
	$(BIN)/ruff check $(PACKAGES) hardware tests
	$(BIN)/mypy
	@if command -v shellcheck >/dev/null; then set -x; shellcheck $(SCRIPTS); fi
	$(BIN)/pytest tests/test_architecture.py

bench: ## Measure the rules engine, a press, a shout and the eyes beside bare ones, a night call, and a flood
	@$(SETUP) vision
	@$(SETUP) bench
	@$(BIN)/mafia-seat models
	@status=0; for each in engine press shout flood voice eyes; do \
		$(BIN)/python tests/bench/$$each.py || status=1; done; exit $$status

hardware: ## Render wiring and enclosures into build/hardware; ARGS=--pictures makes the guide's anew
	@$(SETUP) hardware
	@$(BIN)/python -m hardware.render build/hardware $(ARGS)

release: ## Build sdist, wheel and the cards' archives in build/release; ARGS="--try" to look at them
	@$(SETUP) test
	@$(BIN)/python -m firmware.image.release $(ARGS)

words: ## Add new texts to the catalogues, to be translated
	@$(SETUP) test
	@$(BIN)/python -m firmware.words

clean: ## Remove what make made, the installed packages too
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
	find $(PACKAGES) tests -name __pycache__ -prune -exec rm -rf {} +
