/** The address of a service and an API key of its organization. */
class PlatenApi {
  name = 'platenApi';
  displayName = 'Platen API';
  documentationUrl = '';
  properties = [
    {
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://images.example.com',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
    },
  ];
  authenticate = {
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{$credentials.apiKey}}' } },
  };
  test = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/validate-organization' },
  };
}

module.exports = { PlatenApi };
