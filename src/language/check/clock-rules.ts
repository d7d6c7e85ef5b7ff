/** Checks the clock of a template, and lists the live values that its layers may bind. */
import { formatContext } from '../bind/binder.ts';
import { contactOf, deadlineOf, expectedDeadline } from '../clock/deadline.ts';
import { liveVariableNeeds, liveVariables } from '../clock/live-values.ts';
import type { LiveVariable } from '../clock/live-values.ts';
import type { Template, Variable } from '../schema/template.ts';
import { defaultText } from '../values/list-value.ts';
import { isKnownZone } from '../values/zoned-time.ts';
import { show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';

/** The variables and live values of a template, by name. A variable hides a live value of the same name. */
export function withLiveVariables(template: Template): Map<string, Variable> {
  return new Map<string, Variable>(
    [...liveVariables(template), ...template.variables].map((variable) => [
      variable.name,
      variable,
    ]),
  );
}

/**
 * The part of the clock that a live value needs, as words that follow its name. Undefined for a name that needs none.
 */
export function liveNeeds(name: string): string | undefined {
  for (const [needs, variables] of liveVariableNeeds) {
    if (needs !== '' && variables.some((variable) => variable.name === name)) {
      return `which needs a clock with ${needs}`;
    }
  }
  return undefined;
}

/** All possible values of a live value with a closed list; undefined for any other variable. */
export function wordsOf(variable: Variable): readonly string[] | undefined {
  return (variable as Partial<LiveVariable>).words;
}

/** Adds the problems of a clock: its zone, `atZero` without an end, the deadline of the default values, and `per`. */
export function checkClock(template: Template, problems: TemplateProblem[]): void {
  const { clock, variables } = template;
  if (clock === undefined) return;
  const { zone, until, evergreen, per, atZero } = clock;
  if (zone !== undefined && !isKnownZone(zone)) {
    const message = `is ${show(zone)}, expected an IANA time zone such as Europe/Berlin`;
    problems.push({ path: 'clock.zone', message });
    return;
  }
  if (typeof atZero === 'object' && until === undefined && evergreen === undefined) {
    const message = 'needs a countdown that ends: give the clock until or evergreen';
    problems.push({ path: 'clock.atZero', message });
  }
  if (problems.length > 0) return;
  const values = new Map(variables.map((variable) => [variable.name, defaultText(variable)]));
  const context = formatContext(template, {});
  const { invalid } = deadlineOf(template, { values, context, timeMs: 0 });
  if (invalid !== undefined) {
    const remark = until?.includes('{{') === true ? ' (with the default values)' : '';
    const message = `is ${show(invalid)}, not ${expectedDeadline}${remark}`;
    problems.push({ path: 'clock.until', message });
  }
  if (per !== undefined && contactOf({ clock }, new Map()) === per.trim()) {
    const message = `is ${show(per)}, expected the binding of a variable, such as {{contact}}`;
    problems.push({ path: 'clock.per', message });
  }
}
