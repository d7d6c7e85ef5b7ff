/** Reads what `npm audit --json` says (report version 2). */

/** What is known of the dependencies: the serious advisories, or why nothing is. */
export type AuditVerdict =
  | { isKnown: true; advisories: string[] }
  | { isKnown: false; reason: string };

/** Severities that fail a check. */
const serious: ReadonlySet<unknown> = new Set(['high', 'critical']);

/**
 * One line an affected package of high or critical severity. Unknown when the registry did not answer: not every one
 * has the audit endpoint, and a machine may be offline.
 */
export function judgeAudit(text: string): AuditVerdict {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return { isKnown: false, reason: 'npm wrote no report' };
  }
  if (!isRecord(report) || !isRecord(report['vulnerabilities'])) {
    const reason = isRecord(report) ? report['message'] : undefined;
    return { isKnown: false, reason: typeof reason === 'string' ? reason : 'the report is empty' };
  }
  const advisories = Object.entries(report['vulnerabilities']).flatMap(([name, entry]) =>
    isRecord(entry) && serious.has(entry['severity'])
      ? [`${name} ${String(entry['range'])}: ${String(entry['severity'])}${titlesOf(entry['via'])}`]
      : [],
  );
  return { isKnown: true, advisories };
}

/** The titles and addresses of advisories; a package that only depends on a bad one has none of its own. */
function titlesOf(via: unknown): string {
  if (!Array.isArray(via)) return '';
  return via
    .filter(isRecord)
    .map(({ title, url }) => `, ${String(title)} (${String(url)})`)
    .join('');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
