"""Svelte, for `cargo lab sight --apps`: python gradio_app.py PORT"""
import sys

import gradio as gr

with gr.Blocks(title="Gradio") as app:
    with gr.Tab("Form"):
        name = gr.Textbox(label="Name")
        gr.Dropdown(["Red", "Green"], label="Colour")
        gr.Dropdown(["A", "B", "C"], multiselect=True, value=["A"], label="Many")
        gr.CheckboxGroup(["x", "y"], label="Axes")
        gr.Radio(["small", "large"], label="Size")
        gr.Slider(0, 10, label="Volume")
        gr.Checkbox(label="Agree")
        gr.Number(label="Age")
        gr.File(label="File")
        gr.Image(label="Picture")
        gr.Button("Greet").click(lambda who: who, name, gr.Textbox(label="Greeting"))
    with gr.Tab("Table"):
        gr.Dataframe([["Ada", 36], ["Alan", 41]], headers=["Name", "Age"], interactive=True)
    with gr.Accordion("More", open=False):
        gr.Markdown("[a link](#x)")
app.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
