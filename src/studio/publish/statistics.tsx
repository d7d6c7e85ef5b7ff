/** Shows the statistics of a template's links: by day, by kind of client and by version. */
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { TemplateStatistics } from '../../client/platen-client.ts';
import type { Service } from '../state/service.ts';
import { explainError, fullTime } from '../wording.ts';

/** Periods to choose from, in days up to today. */
const periods = [7, 30, 90, 400];
const periodDefault = 30;

const dayMs = 24 * 60 * 60 * 1000;

type Client = TemplateStatistics['clients'][number]['client'];

/** Readable names of the kinds of clients. */
const clientNames: Readonly<Record<Client, string>> = {
  'gmail-proxy': 'Gmail (proxy)',
  'yahoo-proxy': 'Yahoo and AOL (proxy)',
  'apple-privacy': 'Apple Mail (privacy protection)',
  'apple-direct': 'Apple Mail (direct)',
  outlook: 'Outlook',
  'other-email': 'Other email programs',
  'link-preview': 'Previews of links',
  browser: 'Browsers',
  program: 'Programs',
};

/** Texts for the errors of links, shown after the number of requests. */
const errorWords: Partial<Readonly<Record<TemplateStatistics['errors'][number]['code'], string>>> =
  {
    BAD_REQUEST: 'with a value, an option or an image that cannot be used',
    UNAUTHORIZED: 'without a valid signature',
    NOT_FOUND: 'for a version that does not exist',
    OVERLOADED: 'while too many images waited',
    QUARANTINED: 'of a version in quarantine',
    STORAGE_UNAVAILABLE: 'while the disk of the service was full or faulty',
    TIMEOUT: 'that took too long',
    INTERNAL: 'by a fault of the service',
  };

/** Selects a period, and shows its counts. */
export function StatisticsView({ service, uid }: { service: Service; uid: string }): VNode {
  const [days, setDays] = useState(periodDefault);
  const [statistics, setStatistics] = useState<TemplateStatistics | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const running = new AbortController();
    setProblem(undefined);
    const from = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
    service.client
      .request('GET /v1/templates/{uid}/statistics', {
        path: { uid },
        query: { from },
        signal: running.signal,
      })
      .then(setStatistics, (error: unknown) => {
        if (!running.signal.aborted) setProblem(explainError(error));
      });
    return () => running.abort();
  }, [days]);
  return (
    <div class="statistics">
      <label class="statistics-period">
        Period
        <select
          value={days}
          onChange={(event) => setDays(Number((event.target as HTMLSelectElement).value))}
        >
          {periods.map((each) => (
            <option value={each}>{each} days</option>
          ))}
        </select>
      </label>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {statistics === undefined && problem === undefined && (
        <p class="soft" role="status">
          Loading …
        </p>
      )}
      {statistics !== undefined && <Counts statistics={statistics} />}
    </div>
  );
}

function Counts({ statistics }: { statistics: TemplateStatistics }): VNode {
  const { total, errors, days, clients, versions } = statistics;
  const { first_image_at: first, last_image_at: last } = statistics;
  if (first === null || last === null) {
    return <p role="status">No link of this template was opened yet.</p>;
  }
  const failures = errors.map(
    ({ code, errors: count }) => `${numberText(count)} ${errorWords[code] ?? 'for another reason'}`,
  );
  return (
    <>
      <p class="statistics-sum" role="status">
        <strong>{numberText(total.images)}</strong> {total.images === 1 ? 'image' : 'images'},{' '}
        {numberText(total.drawn)} of them drawn. {warningText(total)}
      </p>
      <p class="soft">
        First image {fullTime(first)}, last {fullTime(last)}. Proxies and privacy protection fetch
        images by themselves, so that these are no counts of readers.
      </p>
      <CountTable title="Days (UTC)" head="Day" rows={days} nameOf={({ day }) => day}>
        {failures.length > 0 && <p class="soft">Errors: {failures.join(', ')}.</p>}
      </CountTable>
      <CountTable
        title="Kinds of clients"
        head="Client"
        rows={clients}
        nameOf={({ client }) => clientNames[client]}
      />
      <CountTable
        title="Versions"
        head="Version"
        rows={versions}
        nameOf={({ version }) => (version === 0 ? 'Others' : `Version ${version}`)}
      />
    </>
  );
}

/** Returns a sentence about the requests that failed or lacked something. */
function warningText({
  unmerged,
  corrected,
  degraded,
  errors,
}: TemplateStatistics['total']): string {
  const parts = [
    unmerged > 0 && `${numberText(unmerged)} with an unfilled merge tag`,
    corrected > 0 && `${numberText(corrected)} with a value that was corrected`,
    degraded > 0 && `${numberText(degraded)} without a source image`,
    errors > 0 && `${numberText(errors)} failed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Nothing failed.' : `Of the requests, ${parts.join(', ')}.`;
}

type Row = Omit<TemplateStatistics['days'][number], 'day' | 'errors'> & { errors?: number };

interface CountTableProps<Counted extends Row> {
  title: string;
  /** Heading of the column of names. */
  head: string;
  rows: readonly Counted[];
  nameOf: (row: Counted) => string;
  children?: ComponentChildren;
}

/** A table of counts. Each row has a bar for its images. */
function CountTable<Counted extends Row>(props: CountTableProps<Counted>): VNode | null {
  const { title, head, rows, nameOf, children } = props;
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.map(({ images }) => images));
  const hasErrors = rows.some(({ errors }) => errors !== undefined);
  return (
    <section>
      <h3>{title}</h3>
      <table class="statistics-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">Images</th>
            <td class="statistics-bar" aria-hidden="true" />
            <th scope="col">Drawn</th>
            <th scope="col">Unfilled tags</th>
            {hasErrors && <th scope="col">Errors</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={nameOf(row)}>
              <th scope="row">{nameOf(row)}</th>
              <td>{numberText(row.images)}</td>
              <td class="statistics-bar" aria-hidden="true">
                <span style={{ width: `${(100 * row.images) / most}%` }} />
              </td>
              <td>{numberText(row.drawn)}</td>
              <td>{numberText(row.unmerged)}</td>
              {hasErrors && <td>{numberText(row.errors ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </section>
  );
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}
