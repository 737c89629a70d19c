// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { actionFor, keyName } from './shortcuts.ts';

const press = (key: string, html: string, options: KeyboardEventInit & { open?: boolean; global?: boolean } = {}) => {
  document.body.innerHTML = html;
  return actionFor(new KeyboardEvent('keydown', { key, ...options }), document.body.querySelector('#x') ?? document.body, options.open ?? false, options.global ?? false) !== undefined;
};

describe('keys of the page', () => {
  it('are named with their modifiers; a shifted sign is the sign itself', () => {
    expect(keyName({ key: 'K', ctrlKey: true, metaKey: false, shiftKey: false })).toBe('mod+k');
    expect(keyName({ key: '?', ctrlKey: false, metaKey: false, shiftKey: true })).toBe('?');
    expect(keyName({ key: 'P', ctrlKey: false, metaKey: false, shiftKey: true })).toBe('shift+p');
  });

  it('leave texts alone, but for those with a modifier', () => {
    expect(press(' ', '<textarea id=x></textarea>')).toBe(false);
    expect(press('l', '<input id=x>')).toBe(false);
    expect(press('Enter', '<textarea id=x></textarea>', { ctrlKey: true })).toBe(true);
  });

  it('leave to a control what is its own', () => {
    expect(press(' ', '<button id=x></button>')).toBe(false);
    expect(press('ArrowRight', '<button role=tab id=x></button>')).toBe(false);
    expect(press('ArrowRight', '<button id=x></button>')).toBe(true);
  });

  it('act as single letters only where they are expected, or where the user wants them', () => {
    expect(press('l', '<button id=x></button>')).toBe(false);
    expect(press('l', '<div data-keys><button id=x></button></div>')).toBe(true);
    expect(press('l', '<button id=x></button>', { global: true })).toBe(true);
    expect(press('?', '<button id=x></button>')).toBe(true);
  });

  it('wait while a dialog is open', () => {
    expect(press(' ', '<div id=x></div>', { open: true })).toBe(false);
    expect(press('k', '<div id=x></div>', { open: true, ctrlKey: true })).toBe(true);
  });
});
