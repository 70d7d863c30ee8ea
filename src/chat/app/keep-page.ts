/** A file that is let go where nobody takes it would be shown in place of the page, and end what it writes. */
function keepPage(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
}

addEventListener('dragover', keepPage);
addEventListener('drop', keepPage);
