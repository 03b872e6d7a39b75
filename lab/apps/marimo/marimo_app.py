import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    return (mo,)


@app.cell
def _(mo):
    amount = mo.ui.slider(1, 10, label="Amount")
    amount
    return (amount,)


@app.cell
def _(amount):
    [{"step": n, "square": n * n} for n in range(amount.value)]
    return


if __name__ == "__main__":
    app.run()
