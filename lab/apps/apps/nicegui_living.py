"""Values that the server changes, for `cargo lab living`: python nicegui_living.py PORT"""
import itertools
import math
import sys

from nicegui import ui

PERIODS = [0.2, 0.3, 0.5, 0.7, 1.0, 1.3, 1.6, 2.0]


def live(place: int) -> None:
    """Makes a label and a bar whose values change at a steady rhythm."""
    label = ui.label("0.0 °C")
    bar = ui.linear_progress(0.5, show_value=False)
    turns = itertools.count()

    def change() -> None:
        level = 0.5 + 0.4 * math.sin(next(turns) / 7 + place)
        label.set_text(f"{level * 50:.1f} °C")
        bar.set_value(level)

    ui.timer(PERIODS[place % len(PERIODS)], change)


@ui.page("/")
def plants() -> None:
    clicks = itertools.count(1)
    with ui.dialog() as dialog, ui.card():
        ui.label("Home settings")
        ui.switch("Quiet hours", value=True)
        ui.button("Done", on_click=dialog.close).props("no-caps")
    with ui.header():
        ui.label("Greenhouse")
        ui.button("Count", on_click=lambda: out.set_text(f"clicked {next(clicks)}")).props("no-caps")
        ui.button("Open settings", on_click=dialog.open).props("no-caps")
        out = ui.label("").props("role=status")
        ui.spinner(color="white")
    with ui.grid(columns=4):
        for place in range(48):
            with ui.card():
                ui.label(f"Plant {place + 1}")
                if place % 3 == 0:
                    live(place)
                else:
                    ui.switch("Water")
                    ui.slider(min=0, max=10, value=4).props("aria-label=Light")


ui.run(host="127.0.0.1", port=int(sys.argv[1]), title="Greenhouse", show=False, reload=False)
