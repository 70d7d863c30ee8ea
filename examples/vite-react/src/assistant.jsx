import { useState } from 'react';
import { useTabserve } from 'tabserve/react';

export function Assistant() {
  const { tabserve, status, progress, ready } = useTabserve({ preload: 'pocket' });
  const [answer, setAnswer] = useState('');

  async function ask(form) {
    const response = await tabserve.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: form.get('question') }] }),
    });
    const { choices, error } = await response.json();
    if (error) throw new Error(error.message);
    setAnswer(choices[0].message.content);
  }

  return (
    <form action={ask}>
      <label>
        Question <input name="question" defaultValue="What is a token?" />
      </label>
      <button disabled={!ready}>Ask</button>
      {ready || <p>{status.message}</p>}
      {progress !== null && <progress value={progress} />}
      <p>
        <output>{answer}</output>
      </p>
    </form>
  );
}
