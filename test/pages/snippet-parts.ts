/** What the tests of snippets start from. */
import { emailServices } from '../../src/pages/browser/email-services.ts';
import type { EmailService } from '../../src/pages/browser/merge-tag.ts';
import type { SnippetValue } from '../../src/pages/browser/snippets.ts';

/** The text that an attribute shows. */
export function unescape(source: string): string {
  const signs = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };
  return source.replaceAll(
    /&(amp|quot|#39|lt|gt);/g,
    (_, name: string) => signs[name as keyof typeof signs],
  );
}

/** A value as it was typed. */
export function typed(name: string, value: string, isPersonal = false): SnippetValue {
  return { name, value, isPersonal };
}

export function findService(id: string): EmailService {
  const found = emailServices.find((emailService) => emailService.id === id);
  if (found === undefined) throw new Error(`there is no email service ${id}`);
  return found;
}
