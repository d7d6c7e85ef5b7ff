/** The node in the declarative style of n8n: each operation is one request of the API. */

const renders = ['renderLink', 'renderImage'];

const offset = '={{ $response.body ? $response.body.offset + $response.body.limit : 0 }}';

/** Reads all pages of the templates that a query selects. The page after the last one would answer 404. */
const readTemplates = (query) => ({
  request: { method: 'GET', url: '/v1/templates' },
  send: { paginate: true },
  operations: {
    pagination: {
      type: 'generic',
      properties: {
        continue: '={{ $response.body.offset + $response.body.limit < $response.body.total }}',
        request: { qs: { ...query, limit: 100, offset } },
      },
    },
  },
});

const templates = { type: 'rootProperty', properties: { property: 'templates' } };

const template = {
  displayName: 'Template Name or ID',
  name: 'template',
  type: 'options',
  description:
    'A published template. Choose from the list, or specify its uid using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  required: true,
  default: '',
  displayOptions: { show: { operation: renders } },
  typeOptions: {
    loadOptions: {
      routing: {
        ...readTemplates({ published: true }),
        output: {
          postReceive: [
            templates,
            {
              type: 'setKeyValue',
              properties: { name: '={{$responseItem.name}}', value: '={{$responseItem.uid}}' },
            },
          ],
        },
      },
    },
  },
};

const values = {
  displayName: 'Values',
  name: 'values',
  type: 'json',
  description: 'Values of the variables of the template, by name',
  default: '{ "name": "Amanda" }',
  displayOptions: { show: { operation: renders } },
  routing: {
    send: {
      type: 'body',
      property: 'values',
      value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}',
    },
  },
};

const format = {
  displayName: 'Format',
  name: 'format',
  type: 'options',
  default: 'png',
  options: ['png', 'jpg', 'webp', 'avif', 'gif'].map((value) => ({
    name: value.toUpperCase(),
    value,
  })),
  displayOptions: { show: { operation: renders } },
  routing: { send: { type: 'body', property: 'format' } },
};

const operation = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  default: 'renderLink',
  options: [
    {
      name: 'Make a Link',
      value: 'renderLink',
      action: 'Make a link to a personalised image',
      description: 'Returns the link, its size, its alternative text and warnings',
      routing: {
        request: {
          method: 'POST',
          url: '=/v1/render/{{$parameter["template"]}}',
          body: { response: 'url' },
        },
      },
    },
    {
      name: 'Render an Image',
      value: 'renderImage',
      action: 'Render a personalised image',
      description: 'Returns the file as binary data',
      routing: {
        request: {
          method: 'POST',
          url: '=/v1/render/{{$parameter["template"]}}',
          encoding: 'arraybuffer',
          json: true,
        },
        output: {
          postReceive: [
            // Without it, n8n repeats the bytes as a list of numbers beside the file.
            {
              type: 'set',
              properties: { value: '={{ ({ type: $response.headers["content-type"] }) }}' },
            },
            { type: 'binaryData', properties: { destinationProperty: 'data' } },
          ],
        },
      },
    },
    {
      name: 'List Templates',
      value: 'listTemplates',
      action: 'List templates',
      description: 'Returns all templates of the organization, drafts too, newest first',
      routing: {
        ...readTemplates({}),
        output: { postReceive: [templates] },
      },
    },
  ],
};

class Platen {
  description = {
    displayName: 'Platen',
    name: 'platen',
    icon: 'file:platen.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Render personalised images from templates',
    defaults: { name: 'Platen' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'platenApi', required: true }],
    requestDefaults: { baseURL: '={{$credentials.baseUrl}}' },
    properties: [operation, template, values, format],
  };
}

module.exports = { Platen };
