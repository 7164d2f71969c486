/**
 * Property tests try other values each time, so that developers find what nobody thought of. CI tries the same ones each
 * time: it judges the change, and a find that has nothing to do with it is not for its author.
 */
import fc from 'fast-check';

if (process.env['CI']) fc.configureGlobal({ seed: 1 });

export default fc;
