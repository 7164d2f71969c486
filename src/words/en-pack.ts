/**
 * English messages about packs, for the terminal and the pages: names of kinds of criteria and files, how a result was
 * accepted, and titles of the warnings.
 */

export const enCriterionKind = { keeps: 'must stay as it is', look: 'for you to judge' };
export const enFileKind = {
  link: 'symbolic link',
  executable: 'executable',
  plain: 'no longer an executable or a link',
  submodule: 'submodule',
};
export const enAcceptedAs = {
  accepted: 'accepted by you without a PASS verdict',
  withoutProof: 'accepted by you without proof',
};
export const enPackWarnings = {
  overridden: 'These tests from base fail on the result, which changes or removes them:',
  uncompared: 'These checks prove nothing, because they fail on base too:',
  inputs: 'The result changes how its tests are run. Review these first:',
  'equal-names': 'These names differ only in case:',
  builds: 'These parts of the set-up fail on base, so they were left out:',
  requirements: 'The set-up could not install these requirements:',
  files: 'These files of the base commit were missing from the run:',
  rules: 'The result changes rules that the agents of later runs follow:',
  'lost-refs':
    'Branches, tags or stash entries were deleted or moved during the run, not by Dure. Bring them back, or see what is missing:',
  'unread-refs': 'These branches, tags or stash entries could not be compared, and may be lost:',
  unchecked: 'Events at the start of this run that were not checked:',
};
