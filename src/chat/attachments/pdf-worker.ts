import './limit-allocations.ts';
import 'pdfjs-dist/build/pdf.worker.min.mjs';
