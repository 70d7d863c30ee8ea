"""Makes the documents beside this script with programs that are independent of the readers.

Run by hand, after a change to this script:

    apt-get install libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui pandoc
    pip install python-docx openpyxl xlsxwriter python-pptx odfpy ebooklib reportlab fpdf2 nbformat pysrt webvtt-py pysubs2 tqdm rich pyte
    python make-files.py [make_pdf …]

`expected.json` has the words that a person sees in each document, in reading order.
"""

import datetime
import email.policy
import io
import json
import mailbox
import os
import subprocess
import sys
import tempfile
from email.message import EmailMessage

HERE = os.path.dirname(os.path.abspath(__file__))
expected = {}

TITLE = "Harbour report"
INTRO = "The new quay – 340 metres long – opened in Ålesund on 3 May; “naïve” plans had failed before."
HEADING = "What was built"
ITEMS = ["Two cranes for containers", "A warehouse for 12,500 pallets", "Schienen für den Güterzug"]
STEPS = ["Unload the ship", "Check the papers", "Store the goods"]
TABLE = [["Month", "Ships", "Tonnes"], ["April", "17", "8,250"], ["May", "23", "11,400"], ["June", "21", "10,975"]]
LAST = "Наш порт & ваш груз: 港口 <opens> at 6:30 every day, and closes at dusk."
NOTE = "Measured along the outer edge."


def here(name):
    return os.path.join(HERE, name)


def report_words(note=False, numbered=True):
    parts = [TITLE, INTRO, HEADING, *ITEMS]
    for index, step in enumerate(STEPS):
        parts.append(f"{index + 1}. {step}" if numbered else step)
    parts += [" ".join(row) for row in TABLE] + [LAST]
    if note:
        parts.append(NOTE)
    return "\n".join(parts)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def convert(source, ending, target, filter_name=None):
    """Converts a document with LibreOffice."""
    with tempfile.TemporaryDirectory() as folder:
        to = ending if filter_name is None else f"{ending}:{filter_name}"
        run("soffice", "--headless", "--convert-to", to, "--outdir", folder, here(source))
        made = os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + "." + ending)
        with open(made, "rb") as data, open(here(target), "wb") as out:
            out.write(data.read())


def make_docx():
    import docx

    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Port of Ålesund"
    document.sections[0].footer.paragraphs[0].text = "For the board only"
    document.add_heading(TITLE, 0)
    document.add_paragraph(INTRO)
    document.add_heading(HEADING, 1)
    for item in ITEMS:
        document.add_paragraph(item, style="List Bullet")
    for step in STEPS:
        document.add_paragraph(step, style="List Number")
    table = document.add_table(rows=0, cols=3)
    for row in TABLE:
        for cell, text in zip(table.add_row().cells, row):
            cell.text = text
    paragraph = document.add_paragraph()
    # Words are split into runs, as Word does after changes.
    for piece in [LAST[:5], LAST[5:19], LAST[19:]]:
        paragraph.add_run(piece).bold = piece is not LAST[:5]
    document.save(here("report-python-docx.docx"))
    words = "\n".join(["Port of Ålesund", report_words(), "For the board only"])
    expected["report-python-docx.docx"] = words
    convert("report-python-docx.docx", "odt", "report-libreoffice.odt")
    convert("report-python-docx.docx", "rtf", "report-libreoffice.rtf")
    convert("report-python-docx.docx", "pdf", "report-libreoffice.pdf")
    convert("report-libreoffice.odt", "docx", "report-libreoffice.docx")
    for ending in ["odt", "rtf", "pdf", "docx"]:
        expected[f"report-libreoffice.{ending}"] = words
    # Its font has no Chinese characters.
    expected["report-libreoffice.pdf"] = words.replace(" 港口", "")


def make_pandoc():
    table = "\n".join(["| " + " | ".join(TABLE[0]) + " |", "|---|---|---|"] + ["| " + " | ".join(row) + " |" for row in TABLE[1:]])
    markdown = "\n\n".join(
        [
            f"# {TITLE}",
            INTRO.replace("metres", "metres[^1]", 1),
            f"## {HEADING}",
            "\n".join(f"- {item}" for item in ITEMS),
            "\n".join(f"{index + 1}. {step}" for index, step in enumerate(STEPS)),
            table,
            LAST.replace("<opens>", "\\<opens\\>"),
            f"[^1]: {NOTE}",
        ]
    )
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as source:
        source.write(markdown)
        source.flush()
        for ending, options in {
            "docx": [],
            "odt": [],
            "rtf": ["--standalone"],
            "html": ["--standalone", "--metadata", "pagetitle=" + TITLE],
            "epub": ["--metadata", "title=" + TITLE],
        }.items():
            run("pandoc", "-f", "markdown", *options, "-o", here(f"report-pandoc.{ending}"), source.name)
            # HTML numbers lists by itself, and so does a person who reads it.
            expected[f"report-pandoc.{ending}"] = report_words(note=True)
        run("pandoc", "-t", "epub2", "--metadata", "title=" + TITLE, "-o", here("report-pandoc-2.epub"), source.name)
        expected["report-pandoc-2.epub"] = report_words(note=True)
    expected["report-pandoc.html"] = TITLE + "\n" + expected["report-pandoc.html"]
    convert("report-python-docx.docx", "html", "report-libreoffice.html", "HTML (StarWriter)")
    expected["report-libreoffice.html"] = "\n".join(["Port of Ålesund", report_words(), "For the board only"])


def make_odf():
    from odf import table as odf_table
    from odf import text as odf_text
    from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet, OpenDocumentText
    from odf.draw import Frame, Page, TextBox
    from odf.style import MasterPage, PageLayout

    document = OpenDocumentText()
    document.text.addElement(odf_text.H(outlinelevel=1, text=TITLE))
    document.text.addElement(odf_text.P(text=INTRO))
    document.text.addElement(odf_text.H(outlinelevel=2, text=HEADING))
    items = odf_text.List()
    for item in ITEMS:
        entry = odf_text.ListItem()
        entry.addElement(odf_text.P(text=item))
        items.addElement(entry)
    document.text.addElement(items)
    table = odf_table.Table(name="Ships")
    for row in TABLE:
        line = odf_table.TableRow()
        for value in row:
            cell = odf_table.TableCell()
            cell.addElement(odf_text.P(text=value))
            line.addElement(cell)
        table.addElement(line)
    document.text.addElement(table)
    spaced = odf_text.P(text="Kay")
    spaced.addElement(odf_text.S(c=3))
    spaced.addText("A7")
    spaced.addElement(odf_text.Tab())
    spaced.addText(LAST)
    document.text.addElement(spaced)
    document.save(here("report-odfpy.odt"))
    rows = "\n".join(" ".join(row) for row in TABLE)
    expected["report-odfpy.odt"] = "\n".join([TITLE, INTRO, HEADING, *ITEMS, rows, "Kay A7 " + LAST])

    sheet = OpenDocumentSpreadsheet()
    table = odf_table.Table(name="Ships")
    for row in TABLE:
        line = odf_table.TableRow()
        for value in row:
            cell = odf_table.TableCell(valuetype="string")
            cell.addElement(odf_text.P(text=value))
            line.addElement(cell)
        table.addElement(line)
    repeated = odf_table.TableRow()
    cell = odf_table.TableCell(valuetype="string", numbercolumnsrepeated=2)
    cell.addElement(odf_text.P(text="same"))
    repeated.addElement(cell)
    table.addElement(repeated)
    table.addElement(odf_table.TableRow(numberrowsrepeated=1000000))
    sheet.spreadsheet.addElement(table)
    sheet.save(here("ships-odfpy.ods"))
    expected["ships-odfpy.ods"] = "Ships\n" + rows + "\nsame same"

    show = OpenDocumentPresentation()
    layout = PageLayout(name="layout")
    show.automaticstyles.addElement(layout)
    master = MasterPage(name="master", pagelayoutname=layout)
    show.masterstyles.addElement(master)
    for title, lines in [(TITLE, [INTRO]), (HEADING, ITEMS)]:
        page = Page(masterpagename=master, name=title)
        for text in [[title], lines]:
            frame = Frame(width="20cm", height="5cm", x="1cm", y="1cm")
            box = TextBox()
            for line in text:
                box.addElement(odf_text.P(text=line))
            frame.addElement(box)
            page.addElement(frame)
        show.presentation.addElement(page)
    show.save(here("slides-odfpy.odp"))
    expected["slides-odfpy.odp"] = "\n".join([TITLE, INTRO, HEADING, *ITEMS])


def make_sheets():
    import openpyxl
    import xlsxwriter

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sales"
    for row in [["Item", "Price", "Share", "Sold on"], ["Anchor", 1234.5, 0.125, datetime.date(2026, 5, 3)], ["Tau, 20 m", -7, 1, datetime.date(2025, 12, 31)]]:
        sheet.append(row)
    for row in sheet.iter_rows(min_row=2):
        row[1].number_format = "#,##0.00"
        row[2].number_format = "0.0%"
        row[3].number_format = "dd.mm.yyyy"
    second = book.create_sheet("Überblick")
    second["A1"] = "Summe"
    second["C2"] = True
    second["B3"] = "=SUM(Sales!B2:B3)"
    hidden = book.create_sheet("Secret")
    hidden["A1"] = "nobody sees this"
    hidden.sheet_state = "hidden"
    book.save(here("sales-openpyxl.xlsx"))
    sales = "Sales\nItem Price Share Sold on\nAnchor 1,234.50 12.5% 03.05.2026\nTau, 20 m -7.00 100.0% 31.12.2025"
    expected["sales-openpyxl.xlsx"] = sales + "\nÜberblick\nSumme\nTRUE\n=SUM(Sales!B2:B3)"
    convert("sales-openpyxl.xlsx", "ods", "sales-libreoffice.ods")
    convert("sales-openpyxl.xlsx", "xlsx", "sales-libreoffice.xlsx")
    for ending in ["ods", "xlsx"]:
        expected[f"sales-libreoffice.{ending}"] = sales + "\nÜberblick\nSumme\nTRUE\n1227.5"

    book = xlsxwriter.Workbook(here("times-xlsxwriter.xlsx"))
    sheet = book.add_worksheet("Times & tides")
    money = book.add_format({"num_format": '#,##0.00 "kr"'})
    clock = book.add_format({"num_format": "h:mm AM/PM"})
    day = book.add_format({"num_format": "d mmmm yyyy"})
    sheet.write_row(0, 0, ["Tide", "At", "Day", "Fee", "Depth"])
    sheet.write("A2", "High")
    sheet.write_number("B2", 0.5625, clock)
    sheet.write_number("C2", 46145, day)
    sheet.write_number("D2", 1234567.891, money)
    sheet.write_number("E2", 0.1 + 0.2)
    sheet.write_formula("E3", "=E2*10", None, 3)
    sheet.write_rich_string("A3", "Low ", book.add_format({"bold": True}), "tide")
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "='Times & tides'!$E$2:$E$3"})
    sheet.insert_chart("G2", chart)
    book.close()
    expected["times-xlsxwriter.xlsx"] = (
        "Times & tides\nTide At Day Fee Depth\nHigh 1:30 PM 3 May 2026 1,234,567.89 kr 0.3\nLow tide 3"
    )


def make_slides():
    from pptx import Presentation
    from pptx.util import Inches

    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[0])
    slide.shapes.title.text = TITLE
    slide.placeholders[1].text = INTRO
    slide.notes_slide.notes_text_frame.text = "Greet the mayor first."
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = HEADING
    slide.placeholders[1].text = "\n".join(ITEMS)
    table = slide.shapes.add_table(4, 3, Inches(1), Inches(4), Inches(6), Inches(2)).table
    for row, values in enumerate(TABLE):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    show.save(here("slides-python-pptx.pptx"))
    rows = "\n".join(" ".join(row) for row in TABLE)
    expected["slides-python-pptx.pptx"] = "\n".join([TITLE, INTRO, "Greet the mayor first.", HEADING, *ITEMS, rows])
    convert("slides-python-pptx.pptx", "odp", "slides-libreoffice.odp")
    expected["slides-libreoffice.odp"] = expected["slides-python-pptx.pptx"]
    convert("slides-odfpy.odp", "pptx", "slides-libreoffice.pptx")
    expected["slides-libreoffice.pptx"] = expected["slides-odfpy.odp"]
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as source:
        source.write(f"# {TITLE}\n\n{INTRO}\n\n# {HEADING}\n\n" + "\n".join(f"- {item}" for item in ITEMS))
        source.flush()
        run("pandoc", "-f", "markdown", "-o", here("slides-pandoc.pptx"), source.name)
    expected["slides-pandoc.pptx"] = "\n".join([TITLE, INTRO, HEADING, *ITEMS])


def make_epub():
    from ebooklib import epub

    book = epub.EpubBook()
    book.set_identifier("harbour")
    book.set_title(TITLE)
    book.set_language("en")
    chapters = []
    for index, (title, text) in enumerate([(TITLE, INTRO), (HEADING, LAST)]):
        chapter = epub.EpubHtml(title=title, file_name=f"part {index}.xhtml")
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        chapter.content = f"<h1>{title}</h1><p>{text}</p>"
        book.add_item(chapter)
        chapters.append(chapter)
    book.toc = chapters
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    # The order of reading is not that of the files.
    book.spine = [chapters[1], chapters[0]]
    epub.write_epub(here("book-ebooklib.epub"), book)
    expected["book-ebooklib.epub"] = "\n".join([HEADING, LAST, TITLE, INTRO])


LEFT = ["Ships wait outside", "until the pilot comes", "on board. He knows the", "shallow water and the", "strong current near", "the northern pier, and", "he brings them in."]
RIGHT = ["Cranes then lift the", "containers onto trains", "that leave each hour.", "At night the port is", "lit, so that the work", "goes on until all of", "the cargo is ashore."]


def make_pdf():
    from fpdf import FPDF
    from reportlab.lib.pagesizes import A5
    from reportlab.pdfgen.canvas import Canvas

    # Line by line over both columns, as some programs write them.
    canvas = Canvas(here("columns-reportlab.pdf"), pagesize=A5, invariant=1)
    for page in range(3):
        canvas.setFont("Helvetica", 9)
        canvas.drawString(40, 565, "Harbour News")
        canvas.drawCentredString(210, 20, f"Page {page + 1}")
        if page == 0:
            canvas.setFont("Helvetica-Bold", 16)
            canvas.drawString(40, 530, "How a ship is unloaded in our harbour today")
        canvas.setFont("Helvetica", 11)
        for index, (left, right) in enumerate(zip(LEFT, RIGHT)):
            canvas.drawString(40, 500 - 14 * index, left)
            canvas.drawString(220, 500 - 14 * index, right)
        canvas.showPage()
    canvas.save()
    columns = " ".join(LEFT + RIGHT)
    expected["columns-reportlab.pdf"] = (
        "Harbour News How a ship is unloaded in our harbour today " + columns + " Page 1 " + columns + " " + columns
    )

    canvas = Canvas(here("form-reportlab.pdf"), pagesize=A5, invariant=1)
    canvas.setFont("Helvetica", 11)
    form = canvas.acroForm
    for index, (label, value) in enumerate([("Ship", "Fram"), ("Captain", "Otto Sverdrup"), ("Cargo", "Dogs and kayaks")]):
        y = 500 - 30 * index
        canvas.drawString(40, y, label)
        form.textfield(name=label.lower(), value=value, x=120, y=y - 5, width=200, height=20)
    canvas.drawString(40, 380, "Papers checked")
    form.checkbox(name="papers", checked=True, x=150, y=376, size=16)
    canvas.drawString(40, 350, "Signed in Oslo on 24 June 1893.")
    canvas.save()
    expected["form-reportlab.pdf"] = "Ship Fram Captain Otto Sverdrup Cargo Dogs and kayaks Papers checked Signed in Oslo on 24 June 1893."

    canvas = Canvas(here("notes-reportlab.pdf"), pagesize=A5, invariant=1)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(40, 500, "The crane is safe.")
    canvas.textAnnotation("Who says so?", Rect=[200, 495, 220, 515], addtopage=1)
    canvas.freeTextAnnotation("Checked in May", DA="/Helv 10 Tf", Rect=[40, 440, 200, 460], addtopage=1)
    form = canvas.acroForm
    canvas.drawString(40, 400, "Colour")
    form.choice(name="colour", value="Deep red", options=["Deep red", "Blue"], x=120, y=395, width=100, height=20)
    canvas.drawString(40, 360, "Closed")
    form.radio(name="state", value="closed", selected=True, x=120, y=356, size=14)
    canvas.drawString(40, 330, "Open")
    form.radio(name="state", value="open", selected=False, x=120, y=326, size=14)
    canvas.save()
    expected["notes-reportlab.pdf"] = "The crane is safe. Checked in May Colour Deep red Closed [x] Open [ ] Who says so?"

    # Labels that stand lower than the values, which are in the middle of their fields.
    canvas = Canvas(here("berth-reportlab.pdf"), pagesize=A5, invariant=1)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(40, 540, "Application for a berth")
    form = canvas.acroForm
    for index, label in enumerate(["Ship", "Flag", "Insured", "Kind"]):
        canvas.drawString(40, 500 - 40 * index, label)
    form.textfield(name="ship", value="Aurora Borealis", x=130, y=490, width=200, height=20)
    form.choice(name="flag", value="Norway", options=["Norway", "Denmark"], x=130, y=450, width=200, height=20)
    form.checkbox(name="insured", checked=True, x=130, y=415)
    form.radio(name="kind", value="cargo", selected=True, x=130, y=375)
    canvas.drawString(160, 380, "cargo")
    form.radio(name="kind", value="ferry", selected=False, x=230, y=375)
    canvas.drawString(260, 380, "ferry")
    canvas.save()
    expected["berth-reportlab.pdf"] = "Application for a berth Ship Aurora Borealis Flag Norway Insured [x] Kind [x] cargo [ ] ferry"

    # A table with broken cells between text in three columns, and a margin note that is not in step with its text.
    canvas = Canvas(here("mixed-reportlab.pdf"), pagesize=A5, invariant=1)
    canvas.setFont("Helvetica", 8)
    columns = [LEFT, RIGHT, [line.upper() for line in LEFT]]
    for index in range(7):
        for column, lines in enumerate(columns):
            canvas.drawString(30 + 125 * column, 560 - 11 * index, lines[index])
    canvas.drawString(30, 460, "Then a table follows, over the whole width of the page, with cells that take several lines:")
    rows = [("Crane", "It lifts containers of up to", "12 t"), ("", "forty tonnes", ""), ("Tug", "It pulls the ships", "3 t"), ("", "to the pier", "")]
    for index, row in enumerate(rows):
        for x, text in zip([30, 110, 300], row):
            canvas.drawString(x, 430 - 11 * index, text)
    for index, line in enumerate(LEFT + RIGHT):
        canvas.drawString(150, 350 - 11 * index, line + " " + line)
    for index, line in enumerate(["Note: the", "pilot is", "at sea"]):
        canvas.drawString(30, 345.5 - 9 * index, line)
    canvas.save()
    expected["mixed-reportlab.pdf"] = "\n".join(
        [" ".join(lines) for lines in columns]
        + ["Then a table follows, over the whole width of the page, with cells that take several lines:"]
        + ["Crane It lifts containers of up to forty tonnes 12 t", "Tug It pulls the ships to the pier 3 t"]
        + ["Note: the pilot is at sea"]
        + [line + " " + line for line in LEFT + RIGHT]
    )

    pdf = FPDF(format="A5")
    pdf.set_creation_date(datetime.datetime(2026, 5, 3, tzinfo=datetime.timezone.utc))
    pdf.add_page()
    pdf.set_font("Helvetica", size=14)
    pdf.multi_cell(0, 8, TITLE)
    pdf.ln()
    pdf.set_font("Helvetica", size=10)
    pdf.multi_cell(0, 6, "The quay is 340 metres long. It opened in May, and two cranes stand on it.")
    pdf.ln()
    with pdf.table() as table:
        for row in TABLE:
            line = table.row()
            for value in row:
                line.cell(value)
    pdf.multi_cell(0, 6, "All figures are those of the port's own office.")
    pdf.output(here("table-fpdf2.pdf"))
    expected["table-fpdf2.pdf"] = "\n".join(
        [TITLE, "The quay is 340 metres long. It opened in May, and two cranes stand on it."]
        + [" ".join(row) for row in TABLE]
        + ["All figures are those of the port's own office."]
    )

    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph
    from reportlab.lib.styles import getSampleStyleSheet

    style = getSampleStyleSheet()["BodyText"]
    paragraphs = [f"Part {index}: " + " ".join(LEFT + RIGHT) for index in range(1, 13)]
    document = BaseDocTemplate(here("flow-reportlab.pdf"), pagesize=A5, invariant=1)
    frames = [Frame(30, 40, 170, 510), Frame(220, 40, 170, 510)]
    document.addPageTemplates(PageTemplate(frames=frames))
    document.build([Paragraph(text, style) for text in paragraphs])
    expected["flow-reportlab.pdf"] = "\n".join(paragraphs)


def make_mails():
    message = EmailMessage(policy=email.policy.SMTP.clone(cte_type="7bit"))
    message["From"] = "Åse Ødegård <ase@example.com>"
    message["To"] = "Jürgen Groß <juergen@example.com>, board@example.com"
    message["Date"] = "Sun, 03 May 2026 09:30:00 +0200"
    message["Subject"] = "Eröffnung der Kaianlage – 港口"
    message.set_content(INTRO + "\n\n" + LAST + "\n", cte="quoted-printable")
    headers = "From: Åse Ødegård <ase@example.com>\nTo: Jürgen Groß <juergen@example.com>, board@example.com\nDate: Sun, 03 May 2026 09:30:00 +0200\nSubject: Eröffnung der Kaianlage – 港口\n"
    write("plain-python.eml", message.as_bytes())
    expected["plain-python.eml"] = headers + INTRO + "\n" + LAST

    page = "<html><head><style>p { color: red }</style></head><body><h1>" + HEADING + "</h1><p>" + INTRO + "</p><ul>" + "".join(f"<li>{item}</li>" for item in ITEMS) + "</ul></body></html>"
    message.set_content(page, subtype="html", cte="base64")
    message.add_attachment(b"%PDF-1.4 no real one", maintype="application", subtype="pdf", filename="Fahrplan für Mai.pdf")
    write("html-python.eml", message.as_bytes())
    expected["html-python.eml"] = "\n".join([headers, HEADING, INTRO, *ITEMS, "Fahrplan für Mai.pdf"])

    latin = EmailMessage()
    latin["From"] = "kai@example.com"
    latin["Subject"] = "Grüße aus dem Hafen"
    latin.set_content("Schöne Grüße, das Wetter ist trüb.\n", charset="iso-8859-1", cte="8bit")
    latin.add_alternative("<p>Schöne Grüße, das Wetter ist <b>trüb</b>.</p>", subtype="html")
    write("latin-python.eml", latin.as_bytes())
    words = "From: kai@example.com\nSubject: Grüße aus dem Hafen\nSchöne Grüße, das Wetter ist trüb."
    expected["latin-python.eml"] = words

    path = here("two-python.mbox")
    if os.path.exists(path):
        os.remove(path)
    box = mailbox.mbox(path)
    second = EmailMessage()
    second["From"] = "ole@example.com"
    second["Subject"] = "Second"
    second.set_content("From here the pier is seen.\n\nFrom there it is not.\n")
    for one in [latin, second]:
        kept = mailbox.mboxMessage(one)
        kept.set_from("MAILER-DAEMON Sun May  3 09:30:00 2026")
        box.add(kept)
    box.close()
    expected["two-python.mbox"] = words + "\nFrom: ole@example.com Subject: Second\nFrom here the pier is seen. From there it is not."


def make_notebooks():
    import nbformat
    from nbformat import v3, v4

    picture = "iVBORw0KGgo" + "A" * 3000
    book = v4.new_notebook(
        cells=[
            v4.new_markdown_cell(f"# {TITLE}\n\n{INTRO}\n\n![quay](data:image/png;base64,{picture})"),
            v4.new_code_cell(
                "print(tonnes)",
                outputs=[
                    v4.new_output("stream", name="stdout", text="11,400 tonnes\n"),
                    v4.new_output("display_data", data={"image/png": picture, "text/plain": "<Figure size 640x480>"}),
                    v4.new_output("error", ename="NameError", evalue="no", traceback=["\x1b[0;31mNameError\x1b[0m: no"]),
                ],
            ),
            v4.new_code_cell("ships", outputs=[v4.new_output("execute_result", data={"text/plain": "  Ships\n0  17", "text/html": "<table><tr><th>Ships</th></tr><tr><td>17</td></tr></table>"})]),
            v4.new_raw_cell(LAST),
        ]
    )
    for index, cell in enumerate(book.cells):
        cell["id"] = f"cell-{index}"
    nbformat.write(book, here("cells-nbformat.ipynb"))
    expected["cells-nbformat.ipynb"] = f"{TITLE}\n{INTRO}\n![quay]([image]) print(tonnes)\n11,400 tonnes\nNameError: no\nships\nShips\n17\n{LAST}"
    old = v3.new_notebook(worksheets=[v3.new_worksheet(cells=[v3.new_text_cell("markdown", source=INTRO), v3.new_code_cell(input="1 + 1", outputs=[v3.new_output("pyout", output_text="2", prompt_number=1)])])])
    with open(here("old-nbformat.ipynb"), "w", encoding="utf-8") as out:
        out.write(v3.writes_json(old))
    expected["old-nbformat.ipynb"] = INTRO + "\n1 + 1\n2"
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as source:
        source.write(f"# {TITLE}\n\n{INTRO}\n\n``` code\nprint(1)\n```\n")
        source.flush()
        run("pandoc", "-f", "markdown", "-o", here("cells-pandoc.ipynb"), source.name)
    expected["cells-pandoc.ipynb"] = f"{TITLE}\n{INTRO}\nprint(1)"


SAID = ["Who brought the cargo?", "<i>The captain</i> did, of course.", "Größe & Gewicht: 12 t"]


def make_subtitles():
    import pysrt
    import pysubs2
    import webvtt

    for name, encoding in [("film-pysrt.srt", "utf-8"), ("latin-pysrt.srt", "cp1252")]:
        film = pysrt.SubRipFile()
        for index, text in enumerate(SAID):
            film.append(pysrt.SubRipItem(index + 1, start={"seconds": index * 4}, end={"seconds": index * 4 + 3}, text=text))
        film.save(here(name), encoding=encoding)
        expected[name] = "\n".join(SAID).replace("<i>", "").replace("</i>", "")
    film = webvtt.WebVTT()
    for index, text in enumerate(SAID):
        film.captions.append(webvtt.Caption(f"00:00:0{index}.000", f"00:00:0{index}.900", ["<v Anna>" + text.replace("&", "&amp;")]))
    film.save(here("film-webvtt.vtt"))
    expected["film-webvtt.vtt"] = "\n".join("Anna: " + text for text in SAID).replace("<i>", "").replace("</i>", "")
    webvtt.from_srt(here("film-pysrt.srt")).save(here("film-from-srt.vtt"))
    expected["film-from-srt.vtt"] = expected["film-pysrt.srt"]
    film = pysubs2.load(here("film-pysrt.srt"))
    film[0].text = "{\\an8\\fad(200,200)}" + film[0].text
    for ending in ["ass", "ssa"]:
        film.save(here(f"film-pysubs2.{ending}"))
        expected[f"film-pysubs2.{ending}"] = expected["film-pysrt.srt"]


def make_logs():
    import pyte
    from rich.console import Console
    from rich.table import Table
    from tqdm import tqdm

    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, color_system="truecolor")
    console.print("[bold green]Build[/] started for [link=https://example.com]harbour[/link]")
    table = Table("Step", "State")
    table.add_row("compile", "[green]done[/]")
    table.add_row("test", "[red]failed[/]")
    console.print(table)
    console.print("[red]1 error[/]")
    write_log("build-rich.log", out.getvalue(), pyte)

    out = io.StringIO()
    out.write("Fetching cargo list\n")
    for _ in tqdm(range(40), file=out, mininterval=0, ascii=True, desc="Loading", bar_format="{desc}: {percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt}"):
        pass
    out.write("All loaded\n")
    write_log("load-tqdm.log", out.getvalue(), pyte)


def write_log(name, text, pyte):
    """Expects what the terminal emulator pyte shows."""
    write(name, text.encode("utf-8"))
    screen = pyte.Screen(100, 60)
    pyte.Stream(screen).feed(text.replace("\n", "\r\n"))
    expected[name] = "\n".join(line.rstrip() for line in screen.display).strip()


def write(name, data):
    with open(here(name), "wb") as out:
        out.write(data)


if __name__ == "__main__":
    makers = [make_docx, make_pandoc, make_odf, make_sheets, make_slides, make_epub, make_pdf, make_mails, make_notebooks, make_subtitles, make_logs]
    named = [make for make in makers if make.__name__ in sys.argv[1:]]
    if named:
        with open(here("expected.json"), encoding="utf-8") as known:
            expected.update({name: "\n".join(lines) for name, lines in json.load(known).items()})
    for make in named or makers:
        print(make.__name__, file=sys.stderr)
        make()
    with open(here("expected.json"), "w", encoding="utf-8") as out:
        json.dump({name: expected[name].split("\n") for name in sorted(expected)}, out, ensure_ascii=False, indent=2)
        out.write("\n")
