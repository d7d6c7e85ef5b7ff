/** Parses the arguments of `npm run bench`. */
import type { Effort, Scenario } from './scenario.ts';

/**
 * Returns the scenarios that the words name, or all, and how long to measure. Throws with the available words for one
 * that is neither `quick`, nor a part of a scenario's name, nor one of its words.
 */
export function chooseScenarios(
  scenarios: readonly Scenario[],
  words: readonly string[],
): { chosen: readonly Scenario[]; effort: Effort } {
  const effort = words.includes('quick') ? 'quick' : 'normal';
  const names = words.filter((word) => word !== 'quick');
  for (const word of names) {
    if (scenarios.some((scenario) => isNamed(scenario, word))) continue;
    const known = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`No scenario is called "${word}": there are ${known}; and quick.`);
  }
  if (names.length === 0) return { chosen: scenarios, effort };
  const chosen = scenarios.filter((scenario) => names.some((word) => isNamed(scenario, word)));
  return { chosen, effort };
}

function isNamed({ name, words }: Scenario, word: string): boolean {
  return name.includes(word) || words.includes(word);
}
