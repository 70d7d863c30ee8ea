import { text, integer, flag, listOf, oneOf, zod, pydantic, plain, when } from './schema-parts.ts';

const CHAT = {
  post_message: [
    plain(
      {
        channel: { ...text, pattern: '^[CDG][A-Z0-9]{8,}$' },
        text: { ...text, maxLength: 40000 },
        thread_ts: { ...text, pattern: '^\\d+\\.\\d{6}$' },
        blocks: listOf(
          { type: 'object', required: ['type'], properties: { type: text }, additionalProperties: true },
          { maxItems: 50 },
        ),
      },
      ['channel'],
      { anyOf: [{ required: ['text'] }, { required: ['blocks'] }] },
    ),
    { channel: 'C01234567', text: 'Hello' },
  ],
  add_reaction: [
    plain({ channel: text, emoji: { ...text, pattern: '^\\b[a-z0-9_+-]+\\b$' } }, ['channel', 'emoji']),
    { channel: 'C1', emoji: 'tada' },
  ],
  search_messages: [
    plain(
      {
        query: text,
        from: { ...text, format: 'slack-user' },
        after: { ...text, format: 'date' },
        sort: oneOf('score', 'timestamp'),
      },
      ['query'],
    ),
    { query: 'x', from: 'U1', after: '2026-01-02' },
  ],
  schedule_message: [
    plain(
      {
        channel: text,
        post_at: { oneOf: [{ type: 'integer' }, { type: 'number' }, { ...text, format: 'date-time' }] },
      },
      ['channel', 'post_at'],
    ),
    { channel: 'C1', post_at: '2026-01-02T03:04:05Z' },
  ],
} as const;

const BLOCKS = {
  paragraph: plain({ type: { const: 'paragraph' }, rich_text: listOf({ $ref: '#/$defs/rich_text' }) }, [
    'type',
    'rich_text',
  ]),
  toggle: plain({ type: { const: 'toggle' }, children: listOf({ $ref: '#/$defs/block' }) }, ['type', 'children']),
};

const NOTES = {
  append_blocks: [
    plain(
      { block_id: { ...text, format: 'uuid' }, children: listOf({ $ref: '#/$defs/block' }, { maxItems: 100 }) },
      ['block_id', 'children'],
      {
        $defs: {
          rich_text: plain(
            { content: { ...text, maxLength: 2000 }, link: { anyOf: [{ ...text, format: 'uri' }, { type: 'null' }] } },
            ['content'],
          ),
          block: { oneOf: [BLOCKS.paragraph, BLOCKS.toggle] },
        },
      },
    ),
    {
      block_id: '6f1c2d3e-0000-4000-8000-000000000000',
      children: [{ type: 'paragraph', rich_text: [{ content: 'a' }] }],
    },
  ],
  query_database: [
    plain(
      {
        database_id: text,
        filter: { $ref: '#/definitions/filter' },
        page_size: { ...integer, default: 100, maximum: 100 },
      },
      ['database_id'],
      {
        definitions: {
          filter: {
            oneOf: [
              plain({ and: listOf({ $ref: '#/definitions/filter' }) }, ['and']),
              plain({ property: text, equals: {} }, ['property', 'equals']),
            ],
          },
        },
      },
    ),
    { database_id: 'd', filter: { and: [{ property: 'p', equals: 3 }] } },
  ],
  update_page: [
    plain(
      {
        page_id: text,
        properties: { type: 'object', additionalProperties: {} },
        archived: { ...flag, nullable: true },
      },
      ['page_id'],
    ),
    { page_id: 'p', properties: { Name: { title: [] } } },
  ],
  create_comment: [
    plain(
      {
        parent: {
          allOf: [{ $ref: 'parent.json' }],
          $defs: { p: { $id: 'parent.json', ...plain({ page_id: text }, ['page_id']) } },
        },
        text,
      },
      ['parent', 'text'],
    ),
    { parent: { page_id: 'p' }, text: 'x' },
  ],
} as const;

const MAPS = {
  geocode: [
    plain({ address: text, bounds: { $ref: 'https://geojson.org/schema/Polygon.json' } }, ['address']),
    { address: 'Rome' },
  ],
  directions: [
    plain(
      {
        origin: text,
        destination: text,
        mode: oneOf('driving', 'walking', 'transit'),
        departure_time: integer,
        waypoints: listOf(text, { maxItems: 25, uniqueItems: true }),
      },
      ['origin', 'destination'],
      when(
        { properties: { mode: { const: 'transit' } }, required: ['mode'] },
        { required: ['departure_time'] },
        { properties: { departure_time: false } },
      ),
    ),
    { origin: 'a', destination: 'b', mode: 'walking' },
  ],
  elevation: [
    plain(
      {
        locations: listOf(
          plain(
            {
              latitude: { type: 'number', minimum: -90, maximum: 90 },
              longitude: { type: 'number', minimum: -180, maximum: 180 },
            },
            ['latitude', 'longitude'],
          ),
        ),
      },
      ['locations'],
    ),
    { locations: [{ latitude: 1.5, longitude: -2 }] },
  ],
} as const;

const MEMORY = {
  create_entities: [
    zod(
      {
        entities: listOf(
          zod({ name: text, entityType: text, observations: listOf(text) }, ['name', 'entityType', 'observations']),
        ),
      },
      ['entities'],
    ),
    { entities: [{ name: 'a', entityType: 'b', observations: [] }] },
  ],
  create_relations: [
    zod({ relations: listOf(zod({ from: text, to: text, relationType: text }, ['from', 'to', 'relationType'])) }, [
      'relations',
    ]),
    { relations: [] },
  ],
  open_nodes: [zod({ names: listOf(text) }, ['names']), { names: ['a'] }],
  think: [
    zod(
      {
        thought: text,
        nextThoughtNeeded: flag,
        thoughtNumber: { ...integer, minimum: 1 },
        totalThoughts: { ...integer, minimum: 1 },
      },
      ['thought', 'nextThoughtNeeded', 'thoughtNumber', 'totalThoughts'],
    ),
    { thought: 'x', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 2 },
  ],
} as const;

const WEB = {
  convert_time: [
    plain(
      {
        source_timezone: text,
        time: { ...text, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
        target_timezone: { ...text, format: 'iana-time-zone' },
      },
      ['source_timezone', 'time', 'target_timezone'],
    ),
    { source_timezone: 'UTC', time: '09:30', target_timezone: 'Europe/Rome' },
  ],
  fetch: [
    pydantic(
      {
        url: { ...text, format: 'uri', minLength: 1 },
        max_length: { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 1000000, default: 5000 },
        raw: { ...flag, default: false },
      },
      ['url'],
    ),
    { url: 'https://example.org/a', max_length: 100 },
  ],
  web_search: [
    plain(
      {
        query: { ...text, maxLength: 400 },
        count: { type: 'number', default: 10, minimum: 1, maximum: 20 },
        freshness: {
          anyOf: [oneOf('pd', 'pw', 'pm'), { ...text, pattern: '^\\d{4}-\\d{2}-\\d{2}to\\d{4}-\\d{2}-\\d{2}$' }],
        },
      },
      ['query'],
    ),
    { query: 'x', count: 3, freshness: 'pw' },
  ],
} as const;

const CALENDAR = {
  create_event: [
    pydantic(
      {
        summary: text,
        start: {
          oneOf: [
            plain({ date: { ...text, format: 'date' } }, ['date']),
            plain({ dateTime: { ...text, format: 'date-time' }, timeZone: text }, ['dateTime']),
          ],
        },
        attendees: listOf({ $ref: '#/$defs/Attendee' }, { uniqueItems: true }),
        recurrence: listOf({ ...text, pattern: '^(RRULE|EXDATE):' }),
        reminders: { type: 'object', properties: { useDefault: flag }, unevaluatedProperties: { type: 'object' } },
      },
      ['summary', 'start'],
      { Attendee: plain({ email: { ...text, format: 'email' }, optional: flag }, ['email']) },
    ),
    { summary: 'x', start: { date: '2026-01-02' }, attendees: [{ email: 'a@example.org' }] },
  ],
  free_busy: [
    pydantic(
      {
        calendars: listOf(text, { minItems: 1, uniqueItems: true }),
        time_min: { ...text, format: 'date-time' },
        duration: { ...text, format: 'duration' },
      },
      ['calendars'],
    ),
    { calendars: ['primary'], duration: 'PT1H' },
  ],
} as const;

/** Functions of shapes that no validator accepts, as some servers send them. */
const ODD = {
  draft_3: [
    { type: 'object', properties: { id: { type: 'string', required: true }, any: { type: 'any' } } },
    { id: 'a', any: 1 },
  ],
  nothing_declared: [{}, {}],
  empty_lists: [
    plain({ level: { type: 'string', enum: [] }, tags: { type: 'array', items: [] } }),
    { level: 'x', tags: [] },
  ],
  old_bounds: [plain({ size: { type: 'integer', minimum: '1', maximum: null } }), { size: 3 }],
  python_pattern: [plain({ name: { ...text, pattern: '(?P<first>[a-z]+)(?i)' } }), { name: 'x' }],
  lost_definition: [plain({ item: { $ref: '#/$defs/Missing' } }), { item: { a: 1 } }],
} as const;

/** Servers in front of services, and one of odd schemas. */
export const SERVICE_TOOLS = [CHAT, NOTES, MAPS, MEMORY, WEB, CALENDAR, ODD];
