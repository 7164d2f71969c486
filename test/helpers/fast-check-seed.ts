/**
 * Property tests try new values each time, so that developers find cases that nobody thought of. CI always tries the
 * same values: it judges a change, and must not fail because of a bug that the change did not cause.
 */
import fc from 'fast-check';

if (process.env['CI']) fc.configureGlobal({ seed: 1 });

export default fc;
