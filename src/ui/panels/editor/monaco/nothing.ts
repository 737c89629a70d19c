/** In place of a module that the page does not need. */
export default {};
export const languages: unknown[] = [];
export const printers: object = {};
