/**
 * Finds by brute force the added lines that no test notices: makes every change in this list to a line, one at a
 * time, and runs the tests each time. Shares no code with the exam, which it measures.
 */
import { filterAsync, passes, result } from './ground-truth.mjs';

const CHANGES = [
  line => (/[;)}\]'"\w]\s*$/.test(line) ? line.replace(/\S.*$/, 'pass') : null),
  line => (/[;)}\]\w]\s*$/.test(line) ? '' : null),
  swap(/===/, '!=='),
  swap(/!==/, '==='),
  swap(/(?<![=!<>])==(?!=)/, '!='),
  swap(/!=(?!=)/, '=='),
  swap(/<=/, '<'),
  swap(/>=/, '>'),
  swap(/(?<![<=-])<(?![<=-])/, '<='),
  swap(/(?<![>=-])>(?![>=])/, '>='),
  swap(/ \+ /, ' - '),
  swap(/ - /, ' + '),
  swap(/ && /, ' || '),
  swap(/ \|\| /, ' && '),
  swap(/ and /, ' or '),
  swap(/ or /, ' and '),
  swap(/\btrue\b/, 'false'),
  swap(/\bfalse\b/, 'true'),
  swap(/\bTrue\b/, 'False'),
  swap(/\bFalse\b/, 'True'),
  line => (/\b\d+\b/.test(line) ? line.replace(/\b\d+\b/, number => String(Number(number) + 1)) : null),
  swap(/\breturn [^;\n]+/, 'return null'),
  swap(/\breturn [^;\n]+/, 'return None'),
  swap(/\breturn [^;\n]+/, 'return 0'),
  swap(/\breturn [^;\n]+/, 'return ""'),
  swap(/\bif \(.+\)(?= |$)/, 'if (false)'),
  swap(/\bif [^({:]+(?= \{|:$)/, 'if False'),
  swap(/\bif [^({:]+(?= \{|:$)/, 'if false'),
  swap(/; (?=[^;]+ \{$)/, '; false && '),
  swap(/(?<=\b(?:if|and|or|while) )not /, ''),
];

function swap(what, instead) {
  return line => (what.test(line) ? line.replace(what, instead) : null);
}

const isCode = line =>
  /[A-Za-z0-9]/.test(line) && !/^\s*(?:\/\/|\/?\*|#|"""|import\b|from\b|package\b)/.test(line);

/** Lines (from 1) of the code that base does not have. */
export const addedLines = (base, code) => {
  const known = new Set(base.split('\n'));
  return code.split('\n').flatMap((line, n) => (known.has(line) || !isCode(line) ? [] : [n + 1]));
};

/** The versions of the code with one fault in a line, without those that do not load. */
export function faultsIn(project, scenario, number) {
  const lines = (scenario.code ?? project.good).split('\n');
  const line = lines[number - 1];
  const faults = new Set(CHANGES.map(change => change(line)));
  const versions = [...faults]
    .filter(text => text !== null && text !== line)
    .map(text => lines.with(number - 1, text).join('\n'));
  return filterAsync(versions, text => passes({ ...project.files, [project.subject]: text }, project.loads));
}

/** Whether the tests of the scenario pass on faulty code. */
export const isUnnoticed = (project, scenario, code) =>
  passes(result(project, { ...scenario, code }), project.command);
