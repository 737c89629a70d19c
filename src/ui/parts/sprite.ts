import sprite from './glyphs.svg?raw';

/** Puts the symbols into the page once; <use> finds them by id. */
export function installSprite(): void {
  if (document.getElementById('g-play') !== null) return;
  const holder = document.createElement('div');
  holder.hidden = true;
  holder.setAttribute('aria-hidden', 'true');
  holder.innerHTML = sprite;
  document.body.prepend(holder);
}
