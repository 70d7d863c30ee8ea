import { absent, make, show, whenSettled, type Attempts } from './attempt.ts';

/** Ways in which elements and styles request something. */
export const elementAttempts: Attempts<
  'image' | 'css-image' | 'style-sheet' | 'font' | 'plugin' | 'prefetch' | 'frame' | 'frame-navigation' | 'form'
> = {
  image: (place) => show(make('img', { src: `https://${place.host}/`, alt: '' }), place),
  'css-image': (place) => {
    const box = make('div', {});
    box.style.cssText = `width: 1px; height: 1px; background-image: url("https://${place.host}/")`;
    return show(box, place);
  },
  'style-sheet': (place) => show(make('link', { rel: 'stylesheet', href: `https://${place.host}/` }), place),
  font: ({ host }) => whenSettled(new FontFace('try-to-leak', `url("https://${host}/")`).load()),
  plugin: (place) => show(make('object', { data: `https://${place.host}/` }), place),
  prefetch: (place) => {
    const link = make('link', { rel: 'prefetch', href: `https://${place.host}/` });
    if (!link.relList.supports('prefetch')) return absent('prefetch');
    return show(link, place);
  },
  frame: (place) => show(make('iframe', { src: `https://${place.host}/` }), place),
  'frame-navigation': (place) => {
    const frame = make('iframe', {});
    const ended = show(frame, place);
    frame.contentWindow!.location.href = `https://${place.host}/`;
    return ended;
  },
  form: (place) => {
    // The answer would appear in a frame, so that the page stays.
    const name = `form-${place.host}`;
    const form = make('form', { action: `https://${place.host}/`, method: 'post', target: name });
    place.stage.append(make('iframe', { name }));
    const ended = show(form, place);
    form.submit();
    return ended;
  },
};
