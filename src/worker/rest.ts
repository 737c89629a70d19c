/**
 * What the first film does not need. Empty here: when the page is built, the functions that it does not call are moved behind this module
 * (scripts/engine-split), and the worker loads it after the film has begun. In Node and in development everything is there from the start.
 */
export {};
