/** The media types of lists in the description of the API, beside CSV. */
import { fileContent } from '../../api/declaration.ts';

export const listContent = {
  ...fileContent(
    'text/tab-separated-values',
    'application/x-ndjson',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.spreadsheet',
    'text/vcard',
  ),
  'application/json': {
    schema: { type: 'array', items: { type: 'object', additionalProperties: true } },
    example: [{ id: 'a17', name: 'Amanda', points: '120' }],
  },
};
