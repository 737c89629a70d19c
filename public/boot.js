// Runs before the first paint: theme and language, so that nothing flashes; and a word to those who opened the file itself.
(function () {
  var root = document.documentElement;
  var kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('kubelapse.view') || '{}') || {};
  } catch (error) {
    kept = {};
  }
  var light = typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: light)').matches;
  var chinese = kept.language ? kept.language === 'zh' : /^zh\b/i.test(navigator.language || '');
  root.dataset.theme = kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : light ? 'light' : 'dark';
  root.lang = chinese ? 'zh-CN' : 'en';
  root.style.background = root.dataset.theme === 'light' ? '#ffffff' : '#10141c';
  if (location.protocol !== 'file:') return;
  document.addEventListener('DOMContentLoaded', function () {
    var page = document.getElementById('root');
    var ink = root.dataset.theme === 'light' ? '#11151d' : '#e9edf5';
    page.style.cssText = 'display:block;max-width:62ch;margin:12vh auto;padding:0 24px;font:16px/1.65 system-ui,sans-serif;color:' + ink;
    page.innerHTML = chinese
      ? '<h1 style="font-size:28px;line-height:1.3">Kubelapse 需要一个网页服务器</h1><p>浏览器不允许直接从磁盘文件加载模块。请在这个文件夹里运行任意静态服务器，例如：</p><pre style="padding:12px 0">npx serve .</pre><p>然后打开它显示的地址。数据不会离开这台电脑。</p>'
      : '<h1 style="font-size:28px;line-height:1.3">Kubelapse needs a web server</h1><p>A browser loads no modules straight from a file. Run any static server in this folder, for instance:</p><pre style="padding:12px 0">npx serve .</pre><p>Then open the address that it prints. Nothing leaves this computer.</p>';
  });
})();
