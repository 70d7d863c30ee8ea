import type { JsonSchema } from '../../src/shared/engine/completion-request.ts';

/* Schemas as applications send them, each with an answer that a model would give: 20 response formats and 20 tools. */

interface EverydayAnswer {
  readonly schema: JsonSchema;
  readonly answer: unknown;
}

type Properties = Readonly<Record<string, JsonSchema>>;

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const textOrNull = { type: ['string', 'null'] };
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const listOf = (items: JsonSchema, limits: object = {}) => ({ type: 'array', items, ...limits });

/** An object whose properties are all required. */
const strict = (properties: Properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** An object with optional properties. */
const loose = (required: readonly string[], properties: Properties) => ({ type: 'object', properties, required });

export const EVERYDAY_FORMATS: readonly EverydayAnswer[] = [
  {
    schema: strict({ name: text, date: text, participants: listOf(text) }),
    answer: { name: 'Science fair', date: 'Friday', participants: ['Alice', 'Bob'] },
  },
  {
    schema: strict({ steps: listOf(strict({ explanation: text, output: text })), final_answer: text }),
    answer: {
      steps: [
        { explanation: 'Subtract 7 from both sides of the equation.', output: '8x = -30' },
        { explanation: 'Divide both sides by 8 to isolate x.', output: 'x = -3.75' },
      ],
      final_answer: 'x = -3.75',
    },
  },
  {
    schema: strict({ sentiment: oneOf('positive', 'negative', 'neutral'), confidence: number }),
    answer: { sentiment: 'positive', confidence: 0.92 },
  },
  {
    schema: strict({ title: text, authors: listOf(text), abstract: text, keywords: listOf(text) }),
    answer: {
      title: 'Attention Is All You Need',
      authors: ['Ashish Vaswani', 'Noam Shazeer'],
      abstract:
        'The dominant sequence transduction models are based on complex recurrent or convolutional neural networks.',
      keywords: ['transformer', 'attention', 'translation'],
    },
  },
  {
    schema: strict({
      invoice_number: text,
      invoice_date: text,
      vendor: strict({ name: text, address: text, tax_id: textOrNull }),
      line_items: listOf(strict({ description: text, quantity: integer, unit_price: number, amount: number })),
      subtotal: number,
      tax: number,
      total: number,
    }),
    answer: {
      invoice_number: 'INV-2026-0042',
      invoice_date: '2026-02-03',
      vendor: { name: 'Office Supplies Ltd', address: '12 High Street, Leeds', tax_id: null },
      line_items: [
        { description: 'Printer paper A4', quantity: 10, unit_price: 4.5, amount: 45 },
        { description: 'Toner cartridge', quantity: 2, unit_price: 39.9, amount: 79.8 },
      ],
      subtotal: 124.8,
      tax: 23.71,
      total: 148.51,
    },
  },
  {
    schema: strict({ first_name: text, last_name: text, email: text, phone: text, company: text, job_title: text }),
    answer: {
      first_name: 'Maria',
      last_name: 'Gonzalez',
      email: 'maria.gonzalez@acme.com',
      phone: '+1 555 010 2233',
      company: 'Acme Corp',
      job_title: 'Head of Procurement',
    },
  },
  {
    schema: strict({ is_spam: flag, reason: text }),
    answer: { is_spam: true, reason: 'The message promises a prize and asks for bank details.' },
  },
  {
    schema: strict({
      category: oneOf('billing', 'technical', 'account', 'shipping', 'other'),
      priority: oneOf('low', 'normal', 'high', 'urgent'),
      summary: text,
      needs_human: flag,
    }),
    answer: {
      category: 'billing',
      priority: 'high',
      summary: 'Customer was charged twice for the same order.',
      needs_human: true,
    },
  },
  {
    schema: strict({
      entities: listOf(strict({ text: text, type: oneOf('person', 'organization', 'location', 'date') })),
    }),
    answer: {
      entities: [
        { text: 'Angela Merkel', type: 'person' },
        { text: 'Berlin', type: 'location' },
        { text: '2015', type: 'date' },
      ],
    },
  },
  {
    schema: strict({
      recipe_name: text,
      servings: integer,
      ingredients: listOf(strict({ name: text, quantity: number, unit: text })),
      instructions: listOf(text),
    }),
    answer: {
      recipe_name: 'Pancakes',
      servings: 4,
      ingredients: [
        { name: 'flour', quantity: 200, unit: 'g' },
        { name: 'milk', quantity: 300, unit: 'ml' },
        { name: 'eggs', quantity: 2, unit: 'pieces' },
      ],
      instructions: ['Mix all ingredients to a smooth batter.', 'Fry thin pancakes in a hot pan with a little butter.'],
    },
  },
  {
    schema: strict({ answer: text, sources: listOf(text), confidence: oneOf('low', 'medium', 'high') }),
    answer: {
      answer: 'The Eiffel Tower is 330 metres tall.',
      sources: ['https://www.toureiffel.paris/en'],
      confidence: 'high',
    },
  },
  {
    schema: strict({
      question: text,
      options: listOf(text, { minItems: 4, maxItems: 4 }),
      correct_index: { type: 'integer', minimum: 0, maximum: 3 },
      explanation: text,
    }),
    answer: {
      question: 'Which planet is known as the Red Planet?',
      options: ['Venus', 'Mars', 'Jupiter', 'Saturn'],
      correct_index: 1,
      explanation: 'Iron oxide on its surface gives Mars its red colour.',
    },
  },
  {
    schema: strict({
      latitude: number,
      longitude: number,
      country_code: text,
      population: { type: ['integer', 'null'] },
    }),
    answer: { latitude: 52.52, longitude: 13.405, country_code: 'DE', population: 3677472 },
  },
  {
    schema: strict({
      violates: flag,
      category: { type: ['string', 'null'], enum: ['violence', 'sexual', 'self_harm', null] },
      explanation_if_violating: textOrNull,
    }),
    answer: { violates: false, category: null, explanation_if_violating: null },
  },
  {
    schema: strict({ tasks: listOf(strict({ id: integer, title: text, done: flag, due_date: textOrNull })) }),
    answer: {
      tasks: [
        { id: 1, title: 'Write the report', done: false, due_date: '2026-12-01' },
        { id: 2, title: 'Book the venue', done: true, due_date: null },
        { id: 3, title: 'Send invitations', done: false, due_date: null },
      ],
    },
  },
  {
    schema: strict({
      summary: text,
      key_points: listOf(text),
      action_items: listOf(strict({ owner: text, task: text })),
    }),
    answer: {
      summary: 'The team agreed to ship the release next week.',
      key_points: ['Tests are green.', 'Documentation lacks a chapter on upgrades.'],
      action_items: [
        { owner: 'Lena', task: 'Write the upgrade chapter' },
        { owner: 'Raj', task: 'Prepare the release notes' },
      ],
    },
  },
  {
    schema: strict({
      product_name: text,
      brand: text,
      price: number,
      currency: oneOf('USD', 'EUR', 'GBP'),
      in_stock: flag,
      rating: number,
      specifications: strict({ weight_grams: number, width_mm: number, height_mm: number }),
    }),
    answer: {
      product_name: 'Trail Runner 3',
      brand: 'Northfoot',
      price: 129.95,
      currency: 'EUR',
      in_stock: true,
      rating: 4.6,
      specifications: { weight_grams: 285, width_mm: 98, height_mm: 310 },
    },
  },
  {
    schema: strict({ follow_up_questions: listOf(text) }),
    answer: {
      follow_up_questions: [
        'What does the guided tour cost?',
        'Is the museum open on Mondays?',
        'How long does a visit take?',
      ],
    },
  },
  {
    schema: strict({
      ui_type: oneOf('div', 'button', 'header', 'section'),
      label: text,
      attributes: listOf(strict({ name: text, value: text })),
    }),
    answer: {
      ui_type: 'button',
      label: 'Submit',
      attributes: [
        { name: 'type', value: 'submit' },
        { name: 'class', value: 'btn btn-primary' },
      ],
    },
  },
  {
    schema: loose([], { city: text, temperature: number, conditions: text, humidity: number }),
    answer: { city: 'Oslo', temperature: -3, conditions: 'light snow', humidity: 81 },
  },
];

export const EVERYDAY_TOOLS: readonly (EverydayAnswer & { readonly name: string })[] = [
  {
    name: 'get_weather',
    schema: loose(['location'], { location: text, unit: oneOf('celsius', 'fahrenheit') }),
    answer: { location: 'Berlin, Germany', unit: 'celsius' },
  },
  {
    name: 'search_web',
    schema: loose(['query'], { query: text, max_results: integer }),
    answer: { query: 'best hiking trails near Munich', max_results: 5 },
  },
  {
    name: 'send_email',
    schema: strict({ to: text, subject: text, body: text }),
    answer: {
      to: 'anna.schmidt@example.com',
      subject: 'Meeting moved to Thursday',
      body: 'Hi Anna,\nthe meeting is moved to Thursday at 10 am. Please bring the figures for the third quarter.\nBest regards,\nTom',
    },
  },
  {
    name: 'create_calendar_event',
    schema: loose(['title', 'start_time', 'end_time'], {
      title: text,
      start_time: text,
      end_time: text,
      attendees: listOf(text),
      location: text,
    }),
    answer: {
      title: 'Project review',
      start_time: '2026-03-12T14:00:00',
      end_time: '2026-03-12T15:00:00',
      attendees: ['anna@example.com', 'tom@example.com'],
    },
  },
  { name: 'get_stock_price', schema: strict({ symbol: text }), answer: { symbol: 'AAPL' } },
  {
    name: 'convert_currency',
    schema: strict({ amount: number, from_currency: text, to_currency: text }),
    answer: { amount: 250, from_currency: 'USD', to_currency: 'EUR' },
  },
  {
    name: 'book_flight',
    schema: loose(['origin', 'destination', 'departure_date'], {
      origin: text,
      destination: text,
      departure_date: text,
      cabin_class: oneOf('economy', 'premium_economy', 'business', 'first'),
    }),
    answer: {
      origin: 'FRA',
      destination: 'JFK',
      departure_date: '2026-06-01',
      cabin_class: 'economy',
    },
  },
  { name: 'set_timer', schema: strict({ minutes: integer }), answer: { minutes: 12 } },
  {
    name: 'run_sql_query',
    schema: loose(['query'], { query: text, database: oneOf('production', 'staging', 'analytics') }),
    answer: {
      query:
        'SELECT customer_id, SUM(total) AS revenue FROM orders GROUP BY customer_id ORDER BY revenue DESC LIMIT 10',
      database: 'analytics',
    },
  },
  {
    name: 'read_file',
    schema: loose(['path'], { path: text, start_line: integer, end_line: integer }),
    answer: { path: 'src/engine/index.ts', start_line: 1, end_line: 80 },
  },
  {
    name: 'edit_file',
    schema: strict({ file_path: text, old_string: text, new_string: text }),
    answer: {
      file_path: 'src/utils/date.ts',
      old_string: 'return date.getDay();',
      new_string: 'return date.getDate();',
    },
  },
  {
    name: 'turn_on_light',
    schema: loose(['room'], {
      room: oneOf('kitchen', 'living_room', 'bedroom', 'bathroom'),
      brightness: { type: 'integer', minimum: 0, maximum: 100 },
      color_temperature: integer,
    }),
    answer: { room: 'living_room', brightness: 60 },
  },
  {
    name: 'translate_text',
    schema: strict({ text: text, source_language: text, target_language: text }),
    answer: { text: 'Where is the train station?', source_language: 'en', target_language: 'de' },
  },
  { name: 'calculate', schema: strict({ expression: text }), answer: { expression: '(17.5 * 4) / 3 + 12' } },
  {
    name: 'get_directions',
    schema: loose(['origin', 'destination'], {
      origin: text,
      destination: text,
      mode: oneOf('driving', 'walking', 'bicycling', 'transit'),
    }),
    answer: { origin: 'Alexanderplatz, Berlin', destination: 'Potsdam Hauptbahnhof', mode: 'transit' },
  },
  {
    name: 'create_issue',
    schema: loose(['title', 'body'], {
      title: text,
      body: text,
      labels: listOf(text),
      assignees: listOf(text),
      priority: oneOf('low', 'medium', 'high'),
    }),
    answer: {
      title: 'Crash when the settings dialog is opened twice',
      body: 'Steps to reproduce:\n1. Open the settings.\n2. Press the shortcut again.\nThe app crashes with a null pointer.',
      labels: ['bug', 'ui'],
      priority: 'high',
    },
  },
  {
    name: 'play_music',
    schema: loose([], { artist: text, track: text, shuffle: flag }),
    answer: { artist: 'Miles Davis', shuffle: true },
  },
  {
    name: 'find_restaurants',
    schema: loose(['city'], { city: text, cuisine: text, price_range: oneOf('$', '$$', '$$$'), open_now: flag }),
    answer: { city: 'Lyon', cuisine: 'French', open_now: true },
  },
  {
    name: 'update_customer_record',
    schema: strict({
      customer_id: text,
      fields: strict({ email: textOrNull, phone_number: textOrNull, newsletter_subscription: flag }),
    }),
    answer: {
      customer_id: 'C-104482',
      fields: { email: 'new.address@example.org', phone_number: null, newsletter_subscription: false },
    },
  },
  { name: 'get_current_time', schema: strict({ timezone: text }), answer: { timezone: 'Europe/Berlin' } },
];
