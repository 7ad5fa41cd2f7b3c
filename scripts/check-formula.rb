# Runs the Homebrew formula with as much of Homebrew as it uses, and a program that is there already instead of building
# one. Usage: ruby scripts/check-formula.rb PROGRAM
require "open3"
require "pathname"

PROGRAM = File.expand_path(ARGV.fetch(0))
WRITTEN = {}

# What Homebrew gives a formula: words about it, and the folders and commands of its installation.
class Formula
  class << self
    def said = @said ||= {}
    def test(&block) = said[:test] = block # Kernel has one, too
    def method_missing(name, *args, &block) = said[name] = block || args.first
    def respond_to_missing?(*) = true
  end

  Folder = Struct.new(:name) do
    def /(file) = name == "bin" ? PROGRAM : Target.new(file)
    def to_s = File.dirname(PROGRAM)
  end
  Target = Struct.new(:file) do
    def write(text) = WRITTEN[file] = text
  end

  def bin = Folder.new("bin")
  def man1 = Folder.new("man1")
  def version = "1.2.3"
  def commands = @commands ||= []
  def system(*args) = commands << args
  def shell_output(command, _code = 0) = Open3.capture2(command).first
  def assert_match(want, text) = text.include?(want) || abort("#{want} is missing in: #{text}")

  def generate_completions_from_executable(*command)
    %w[bash zsh fish].each { |shell| WRITTEN[shell] = Utils.safe_popen_read(*command, shell) }
  end
end

module Utils
  def self.safe_popen_read(*command)
    text, status = Open3.capture2(*command.map(&:to_s))
    status.success? ? text : abort("#{command} fails")
  end
end

load File.join(__dir__, "../packaging/remora.rb")
said = Remora.said
abort "what is said: #{said}" unless said[:desc].length < 80 && said[:license] == "MIT" &&
  said[:sha256] =~ /\A\h{64}\z/ && said[:url] =~ %r{\Ahttps://\S+\.tar\.gz\z} && said[:homepage] =~ %r{\Ahttps://}
formula = Remora.new
formula.install
build = formula.commands.first
abort "how it is built: #{build}" unless formula.commands.length == 1 && build.first(2) == %w[go build] &&
  build.each_cons(2).include?(["-o", PROGRAM]) && build.join(" ").include?("main.version=1.2.3")
abort "what is written: #{WRITTEN.keys}" unless %w[bash zsh fish remora.1].all? { |name| WRITTEN[name].to_s.length > 1000 }
formula.instance_eval(&said[:test])
