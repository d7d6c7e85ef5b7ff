/** The banner whose headline of two lines contains the name: `welcome-banner` with another headline. */
import { callApi, publishTemplate } from './publish.ts';
import type { Service } from './service.ts';
import { demoApiKey } from './service.ts';

/** The box and the style of the headline; a long name makes a third line, which fits. */
export const headline = { x: 72, y: 196, width: 920, height: 190, fontSize: 48, lineHeight: 1.12 };

export function headlineOf(name: string): string {
  return `Hello ${name}, your summer adventure starts here`;
}

/** Publishes `headline-banner` for the organization of the samples. */
export async function publishHeadlineBanner(service: Service): Promise<void> {
  const path = '/v1/templates/welcome-banner/document';
  const sample = (await callApi(service, demoApiKey, 'GET', path)) as {
    layers: { id: string }[];
  };
  const layer = {
    id: 'welcome',
    type: 'text',
    ...headline,
    text: headlineOf('{{name}}'),
    fontFamily: 'Fraunces',
    fontWeight: 700,
    fill: '#ffffff',
    overflow: 'shrink',
    minSize: 30,
  };
  const layers = sample.layers.map((each) => (each.id === layer.id ? layer : each));
  const document = { ...sample, name: 'Headline banner', layers };
  await publishTemplate(service, demoApiKey, 'headline-banner', document);
}
