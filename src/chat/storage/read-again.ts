/**
 * Milliseconds after which what could not be read from the device is read again. A database that failed, as when the site's
 * data were cleared, is opened again after ten seconds.
 */
export const READ_AGAIN = 5000;
