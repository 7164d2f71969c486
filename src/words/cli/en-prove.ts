/** The English messages of `dure prove`. */
import type { CriterionVerdict } from '../../core/policy/verdict/prove-pack-criterion-verdict.ts';

export const enProve = {
  verdict: (verdict: CriterionVerdict): string => verdict,
  opened: (run: string, criteria: number) =>
    `The pack of ${run} matches its commits. Running the tests of ${criteria === 1 ? '1 criterion' : `${criteria} criteria`} on the result and on its base …`,
  base: (base: string, branch: string | null, behind: number | null) =>
    branch === null
      ? `base ${base} is not on any branch here`
      : behind === 0
        ? `base ${base} is the tip of ${branch}`
        : `base ${base} is on ${branch}, ${behind === 1 ? '1 commit' : `${behind} commits`} behind its tip`,
  sandbox: (kind: string) => (kind === 'none' ? 'NO SANDBOX' : `sandbox ${kind}, no network`),
  signature: (signature: string) => (signature === 'none' ? 'not signed' : `signed: ${signature}`),
  differs: (what: string) => `this environment differs from the pack's: ${what}`,
  prover:
    'The prove.mjs in the pack is not the one from this version of Dure: do not rely on what it prints.',
  noChecks: "The pack lists none of the project's own checks, so none was repeated.",
  total: (confirmed: number, refuted: number, couldNotRun: number, notClaimed: number, seconds: number) =>
    `${confirmed} confirmed, ${refuted} refuted, ${couldNotRun} could not run, ${notClaimed} not claimed · ${seconds} s`,
  quick: (notRefuted: number, refuted: number, couldNotRun: number, notClaimed: number, seconds: number) =>
    `${notRefuted} not refuted, ${refuted} refuted, ${couldNotRun} could not run, ${notClaimed} not claimed · ${seconds} s\nThe tests ran once on the result and once on base. Only a proof without --quick can confirm anything.`,
  kept: (folder: string) => `Kept: ${folder}`,
};
