"""Vue and Quasar, for `cargo lab sight --apps`: python nicegui_app.py PORT"""
import sys

from nicegui import ui

with ui.header():
    ui.button(icon="menu", on_click=lambda: drawer.toggle()).props("flat color=white aria-label=Menu")
    ui.label("NiceGUI")
with ui.left_drawer() as drawer:
    ui.link("Home", "#home")
    ui.link("Docs", "#docs")
with ui.tabs() as tabs:
    ui.tab("Form")
    ui.tab("Table")
with ui.tab_panels(tabs, value="Form"):
    with ui.tab_panel("Form"):
        ui.input("Name", placeholder="Your name")
        ui.input("Password", password=True, password_toggle_button=True)
        ui.number("Age", value=30)
        ui.textarea("Notes")
        ui.select(["Red", "Green", "Blue"], value="Red", label="Colour").classes("pick")
        ui.checkbox("Agree")
        ui.switch("Dark")
        ui.radio(["Small", "Large"], value="Small").props("inline")
        ui.toggle(["One", "Two"], value="One")
        ui.slider(min=0, max=10, value=4)
        ui.date(value="2026-11-15")
        ui.color_input(label="Ink", value="#000000")
        ui.upload(label="Files")
        ui.button("Ask", on_click=lambda: dialog.open()).classes("ask")
        ui.label("A label that listens").on("click", lambda: None)
    with ui.tab_panel("Table"):
        ui.table(
            columns=[{"name": "n", "label": "Name", "field": "n", "sortable": True}, {"name": "a", "label": "Age", "field": "a"}],
            rows=[{"n": "Ada", "a": 36}, {"n": "Alan", "a": 41}],
            row_key="n",
            selection="multiple",
            pagination=5,
        )
with ui.expansion("More"):
    ui.button("Inside")
ui.tree([{"id": "fruit", "children": [{"id": "apple"}, {"id": "pear"}]}], label_key="id").expand(["fruit"])
with ui.dialog() as dialog, ui.card():
    ui.label("Sure?")
    ui.button("Yes", on_click=dialog.close)
ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False)
