import './limit-allocations.ts';
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
