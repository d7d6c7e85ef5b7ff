/** Reads queries with the grammar of Prometheus itself, and says which of them ask for what is not there. */
import { parser } from '@prometheus-io/lezer-promql';
import type { ParsedMetrics } from './metrics.ts';

/** One selector of a query: the metric and the labels that it asks for by name. */
export interface Selector {
  metric: string;
  labels: string[];
}

/** What each query selects, and the labels that it groups by; throws for what is no PromQL. */
export function readQuery(query: string): { selectors: Selector[]; groupLabels: string[] } {
  const selectors: Selector[] = [];
  const groupLabels: string[] = [];
  parser.parse(query).iterate({
    enter: ({ name, from, to, type, node }) => {
      const text = query.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at ${from}: ${query}`);
      if (name === 'VectorSelector') selectors.push({ metric: '', labels: [] });
      const isGroup = node.parent?.name === 'GroupingLabels';
      if (name === 'LabelName' && isGroup) groupLabels.push(text);
      const selector = selectors.at(-1);
      if (selector === undefined) return;
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') selector.metric = text;
      if (name === 'LabelName' && !isGroup) selector.labels.push(text);
    },
  });
  return { selectors, groupLabels };
}

/** Labels that Prometheus gives every series that it scrapes. */
const scrapeLabels = ['instance', 'job'];

/**
 * What a query asks for that the page of metrics does not have: metrics, and labels of metrics that have samples.
 * `up` is Prometheus' own.
 */
export function queryComplaints(query: string, { samples }: ParsedMetrics): string[] {
  const complaints: string[] = [];
  const { selectors, groupLabels } = readQuery(query);
  const known = new Set(scrapeLabels);
  for (const { metric, labels } of selectors.filter((each) => each.metric !== 'up')) {
    const series = samples.get(metric);
    if (series === undefined) complaints.push(`${metric} is no metric`);
    const platenLabels = new Set(series?.flatMap(({ labels: each = {} }) => Object.keys(each)));
    for (const label of platenLabels) known.add(label);
    for (const label of labels) {
      const isKnown =
        platenLabels.has(label) || scrapeLabels.includes(label) || series?.length === 0;
      if (!isKnown) complaints.push(`${metric} has no label ${label}`);
    }
  }
  for (const label of groupLabels.filter((each) => !known.has(each))) {
    complaints.push(`nothing in ${query} has the label ${label}`);
  }
  return complaints;
}
