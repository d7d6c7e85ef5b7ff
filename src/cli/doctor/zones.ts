/** Checks of `platen doctor` on the time-zone rules, and on the deadlines that differ from those of Node. */
import { execFileSync } from 'node:child_process';
import { formatContext } from '#language/bind/binder.ts';
import { deadlineOf } from '#language/clock/deadline.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import {
  packagedZoneRules,
  zoneRulesFolder,
  zoneRulesProblem,
  zoneRulesVersion,
} from '../../foundation/zone-rules.ts';
import { openAsItIs } from '../../store/database/database.ts';
import type { Config } from '../../settings.ts';
import { databasePath } from '../local-database.ts';
import type { Check } from './data.ts';

/** Where systems keep the tz database, unless `TZDIR` names another folder. */
const systemFolderDefault = '/usr/share/zoneinfo';

/** The version of the rules, its release, its source, and whether those of the system are newer. */
export function checkZoneRules(
  // oxlint-disable-next-line node/no-process-env -- the variable is that of the C library
  systemFolder: string = process.env['TZDIR'] ?? systemFolderDefault,
): Check[] {
  const problem = zoneRulesProblem();
  if (problem !== undefined) return [{ status: 'warning', ...problem }];
  const { version, released } = packagedZoneRules();
  const { tz = '' } = process.versions;
  const present =
    tz === version
      ? `version ${version}, released on ${released}`
      : `version ${tz}, from ${zoneRulesFolder()}; the package has ${version} of ${released}`;
  const system = zoneRulesVersion(systemFolder);
  if (system === undefined) return [{ status: 'ok', detail: present }];
  if (system <= tz) {
    return [{ status: 'ok', detail: `${present}; ${systemFolder} has ${system}` }];
  }
  return [
    {
      status: 'warning',
      detail: `${present}; ${systemFolder} has ${system}, which is newer`,
      advice:
        'Countdowns may be an hour off in zones that changed. Renew the rules: docs/operations.md, "Time-zone rules".',
    },
  ];
}

/** Maximum number of templates that are named. */
const movedNamed = 20;

/** A deadline of a stored document that is ahead. */
interface StoredDeadline {
  uid: string;
  zone: string;
  untilMs: number;
}

/** Names templates whose next deadline differs from that of the rules inside Node, which releases before these had. */
export function checkDeadlines(config: Config): Check[] {
  const deadlines = readDeadlines(databasePath(config), Date.now());
  const present = deadlines.map(offsetOf);
  const before = offsetsOfNode(deadlines);
  const moved = new Map<string, string>();
  for (const [at, { uid, zone, untilMs }] of deadlines.entries()) {
    if (before.offsets[at] === present[at]) continue;
    const end = new Date(untilMs).toISOString();
    moved.set(
      uid,
      `${uid} ends at ${end} (${zone} has ${present[at]}, before ${before.offsets[at]})`,
    );
  }
  if (moved.size === 0)
    return [{ status: 'ok', detail: `no deadline differs from the rules of ${before.version}` }];
  const named = [...moved.values()].slice(0, movedNamed);
  const others = moved.size > named.length ? `; and ${moved.size - named.length} more` : '';
  return [
    {
      status: 'warning',
      detail: `deadlines differ from the rules of ${before.version}, which Node has: ${named.join('; ')}${others}`,
      advice:
        'The new rules are the law of the zone. Correct what was announced with another hour; a deadline with an offset, such as 2026-12-01T12:00-05:00, never moves.',
    },
  ];
}

/** Deadlines of drafts and versions after `nowMs` that depend on the rules of a zone. */
function readDeadlines(path: string, nowMs: number): StoredDeadline[] {
  const db = openAsItIs(path);
  try {
    if (db.pragma('user_version', { simple: true }) === 0) return [];
    const documents = db.prepare<[], { uid: string; json: string }>(
      `SELECT uid, json FROM (
         SELECT uid, draft_json AS json FROM templates WHERE archived_at IS NULL
         UNION ALL
         SELECT t.uid, v.document_json
         FROM template_versions v JOIN templates t ON t.id = v.template_id WHERE t.archived_at IS NULL
       ) WHERE json_valid(json) AND json_extract(json, '$.clock.zone') IS NOT NULL
         AND json_extract(json, '$.clock.until') IS NOT NULL`,
    );
    const found: StoredDeadline[] = [];
    for (const { uid, json } of documents.iterate()) {
      const document = JSON.parse(json) as Template;
      const { zone = 'UTC' } = document.clock ?? {};
      const untilMs = deadlineIn(document, zone, nowMs);
      // A date with an offset of its own is the same instant in every zone.
      if (untilMs === undefined || untilMs <= nowMs) continue;
      if (untilMs !== deadlineIn(document, 'UTC', nowMs)) found.push({ uid, zone, untilMs });
    }
    return found;
  } finally {
    db.close();
  }
}

/** The end of a countdown with the default values. */
function deadlineIn(document: Template, zone: string, timeMs: number): number | undefined {
  const { evergreen: _, ...clock } = document.clock ?? {};
  const template = { ...document, clock: { ...clock, zone } };
  const values = new Map((document.variables ?? []).map((each) => [each.name, defaultText(each)]));
  return deadlineOf(template, { values, context: formatContext(template, {}), timeMs }).untilMs;
}

/** The offset of a zone in words: `GMT-05:00`. Plain JavaScript, because Node reads it from this source too. */
function offsetOf({ zone, untilMs }: { zone: string; untilMs: number }): string {
  const options = { timeZone: zone, timeZoneName: 'longOffset' } as const;
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(untilMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

const nodeProgram = `const offsetOf = ${offsetOf.toString()};
const deadlines = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify({ version: process.versions.tz, offsets: deadlines.map(offsetOf) }));`;

/** The offsets by the rules inside Node, asked in a process without others. */
function offsetsOfNode(deadlines: readonly StoredDeadline[]): {
  version: string;
  offsets: string[];
} {
  const text = execFileSync(process.execPath, ['-e', nodeProgram], {
    env: {},
    input: JSON.stringify(deadlines),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(text) as { version: string; offsets: string[] };
}
