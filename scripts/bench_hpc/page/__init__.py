"""The pages of bench report and bench lesson: command lines, facts, HTML."""
