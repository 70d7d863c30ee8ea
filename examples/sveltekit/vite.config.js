import { sveltekit } from '@sveltejs/kit/vite';
import { tabserve } from 'tabserve/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [sveltekit(), tabserve()] });
