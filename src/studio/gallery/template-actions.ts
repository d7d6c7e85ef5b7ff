/** What can be done with a template of the gallery, and what its cards say about it. */
import type { TemplateSummary } from '../../client/platen-client.ts';
import { notify, notifyError } from '../state/notices.ts';
import type { Service } from '../state/service.ts';
import type { TemplateList } from './template-list.ts';

/** What a card does. Nothing of it rejects: what went wrong is told. */
export interface TemplateActions {
  open: (uid: string) => void;
  /** Resolves when the new name is saved. */
  rename: (template: TemplateSummary, name: string) => Promise<void>;
  duplicate: (template: TemplateSummary) => Promise<void>;
  archive: (template: TemplateSummary) => Promise<void>;
  restore: (template: TemplateSummary) => Promise<void>;
}

/** The name of a copy, within the format's limit. */
export function copyName(name: string): string {
  return `${name.slice(0, 190)} (copy)`;
}

/** Makes the actions; each keeps both lists as the service has them. */
export function createTemplateActions(
  service: Service,
  { used, archived }: { used: TemplateList; archived: TemplateList },
  open: (uid: string) => void,
): TemplateActions {
  const { client } = service;
  const restore = async (template: TemplateSummary): Promise<void> => {
    try {
      await client.restoreTemplate(template.uid);
      archived.remove(template.uid);
      used.put(template);
      notify(`Restored ${template.name}, links and all.`);
    } catch (error) {
      notifyError(`${template.name} was not restored`, error);
    }
  };
  return {
    open,
    restore,
    async rename(template, name) {
      try {
        const { cid, version } = await client.getTemplate(template.uid);
        const document = await client.getTemplateDocument(template.uid);
        await client.updateTemplate(template.uid, { ...document, name }, { cid });
        used.put({ ...template, name });
        // A published template is listed under its published name.
        if (version !== null) notify(`Renamed the draft; publish ${name} to make it public.`);
      } catch (error) {
        notifyError(`${template.name} was not renamed`, error);
      }
    },
    async duplicate(template) {
      try {
        const { uid } = await client.duplicateTemplate(template.uid, {
          name: copyName(template.name),
        });
        used.put(await client.getTemplate(uid));
        const action = { label: 'Open', run: () => open(uid) };
        notify(`Duplicated ${template.name}.`, { action });
      } catch (error) {
        notifyError(`${template.name} was not duplicated`, error);
      }
    },
    async archive(template) {
      try {
        await client.archiveTemplate(template.uid);
        used.remove(template.uid);
        archived.put(template);
        const action = { label: 'Undo', run: () => void restore(template) };
        notify(`Archived ${template.name}; its links answer 404.`, { action });
      } catch (error) {
        notifyError(`${template.name} was not archived`, error);
      }
    },
  };
}
