/** The documentation of the field types for `platen_url` and `platen_alt`, by the id of the email service. */

export const columnSources: Readonly<Record<string, readonly [title: string, url: string]>> = {
  activecampaign: [
    'ActiveCampaign Developers: Contact custom fields',
    'https://developers.activecampaign.com/reference/contact-custom-fields-api-guide',
  ],
  braze: [
    'Braze Docs: Data types',
    'https://www.braze.com/docs/user_guide/data/activation/custom_data/data_types',
  ],
  brevo: [
    'Brevo Developers: Create contact attribute',
    'https://developers.brevo.com/reference/create-attribute',
  ],
  campaignmonitor: [
    'Campaign Monitor API: Subscribers',
    'https://www.campaignmonitor.com/api/v3-3/subscribers/',
  ],
  customerio: [
    'Customer.io Docs: Manage customer attributes',
    'https://docs.customer.io/journeys/people/manage/attributes',
  ],
  getresponse: [
    'GetResponse SDK: types of custom fields',
    'https://github.com/GetResponse/sdk-php/blob/HEAD/src/Operation/Model/CustomFieldTypeEnum.php',
  ],
  hubspot: [
    'HubSpot Developers: Properties',
    'https://developers.hubspot.com/docs/api/crm/properties',
  ],
  iterable: [
    'Iterable Support: Managing user profile fields',
    'https://support.iterable.com/hc/en-us/articles/206430145-Managing-User-Profile-Fields-in-Iterable',
  ],
  keila: ['Keila: Contacts, custom data', 'https://www.keila.io/docs/contacts'],
  klaviyo: [
    'Klaviyo Developers: Klaviyo’s data model',
    'https://developers.klaviyo.com/en/docs/introduction_to_klaviyos_data_model',
  ],
  listmonk: ['listmonk Docs: API / Import', 'https://listmonk.app/docs/apis/import/'],
  mailchimp: [
    'Mailchimp Developer: Merge fields',
    'https://mailchimp.com/developer/marketing/docs/merge-fields/',
  ],
  mailerlite: ['MailerLite Developers: Fields', 'https://developers.mailerlite.com/docs/fields'],
  mailgun: [
    'Mailgun Docs: Send templates',
    'https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-templates',
  ],
  mautic: [
    'Mautic Documentation: Manage custom fields',
    'https://docs.mautic.org/en/contacts/manage-custom-fields',
  ],
  omnisend: [
    'Omnisend API: Contacts, custom properties',
    'https://api-docs.omnisend.com/reference/contacts#custom-properties',
  ],
  phplist: [
    'phpList Documentation: Configure attributes',
    'http://docs.phplist.com/ConfigureAttributesInfo.html',
  ],
  salesforce: [
    'Salesforce Developers: Fields.Add of data extensions',
    'https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ssjs_dataExtensionFieldsAdd.html',
  ],
  sendgrid: [
    'Twilio SendGrid Docs: Create custom field definition',
    'https://www.twilio.com/docs/sendgrid/api-reference/custom-fields/create-custom-field-definition',
  ],
  sendgridlegacy: [
    'Twilio SendGrid Docs: Substitution tags',
    'https://twilio.com/docs/sendgrid/for-developers/sending-email/substitution-tags',
  ],
  sendy: [
    'BacklinkMonitor: Custom fields, with the tags of Sendy',
    'https://www.backlinkmonitor.co/custom-fields',
  ],
  zoho: [
    'Zoho Campaigns Help: Create custom fields',
    'https://zoho.com/campaigns/help/developers/create-custom-field.html',
  ],
};
